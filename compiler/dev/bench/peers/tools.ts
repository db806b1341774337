import { listNamedLines, listServices, METHODS, type NamedLine } from "../large-page.ts";

/** Categories of the methods of `Files`. */
const CATEGORY = { delete: "destructive", list: "readOnly", read: "readOnly", write: "mutatingLocal" } as const;

/** Mode of each category in every session, as the sources for the peers write it. */
export const MODES = { readOnly: "auto", mutatingLocal: "consent", destructive: "forbidden" } as const;

/** Tool of the page: its service, its method and its category. */
export interface PeerTool {
  readonly service: string;
  readonly method: (typeof METHODS)[number];
  readonly category: keyof typeof MODES;
}

/** Returns the tools of the page with `tools` tools. */
export function listPeerTools(tools: number): PeerTool[] {
  return listServices(tools).flatMap((service) =>
    METHODS.map((method) => ({ service, method, category: CATEGORY[method] })),
  );
}

/** Calls `text` for each session with its name and its lines, and returns the joined results. */
export function renderSessions(
  tools: number,
  sessions: number,
  text: (session: string, lines: readonly NamedLine[]) => string,
): string {
  return Array.from({ length: sessions }, (_, at) => text(`session${at}`, listNamedLines(tools, at))).join("");
}
