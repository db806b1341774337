import { listNamedLines, listServices, METHODS, type NamedLine } from "../large-page.ts";

/** Categories of the methods of `Files`. */
const CATEGORY = { delete: "destructive", list: "readOnly", read: "readOnly", write: "mutatingLocal" } as const;

/** What each session says of a category, in the words of every peer. */
export const MODES = { readOnly: "auto", mutatingLocal: "consent", destructive: "forbidden" } as const;

/** One tool of the page, as peers have to name it. */
export interface PeerTool {
  readonly service: string;
  readonly method: (typeof METHODS)[number];
  readonly category: keyof typeof MODES;
}

/** Those of the page of so many tools. */
export function listPeerTools(tools: number): PeerTool[] {
  return listServices(tools).flatMap((service) =>
    METHODS.map((method) => ({ service, method, category: CATEGORY[method] })),
  );
}

/** Text for each session. */
export function renderSessions(
  tools: number,
  sessions: number,
  text: (session: string, lines: readonly NamedLine[]) => string,
): string {
  return Array.from({ length: sessions }, (_, at) => text(`session${at}`, listNamedLines(tools, at))).join("");
}
