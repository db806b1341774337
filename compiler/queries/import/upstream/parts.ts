import type { People, Principal, Session } from "./sessions.ts";

/**
 * Parts of a page that are not in the process graph. They come from the tables in the manifest. If the manifest has no
 * tables, they are chosen here.
 */
export interface Parts {
  readonly system: string;
  readonly version: string;
  /** Declarations of levels and categories. */
  readonly declarations: readonly string[];
  /** Interfaces and labels of services, in the order of the tables. */
  readonly faces: ReadonlyMap<string, { readonly name: string; readonly label: string }>;
  readonly backends: readonly string[];
  readonly principals: readonly Principal[];
  readonly sessions: readonly WrittenSession[];
}

export interface WrittenSession extends Session {
  /** Time limit in milliseconds; 0 if the page does not state one. */
  readonly callMs: number;
  readonly turnMs: number;
  readonly idleMs: number;
  readonly lines: readonly string[];
}

/** Returns a policy under which nobody can call any tool, for a manifest without tables. */
export function createClosedParts({ principals, sessions }: People): Parts {
  return {
    system: "imported",
    version: "0.1.0",
    declarations: [],
    faces: new Map(),
    backends: ["backend none { stub }"],
    principals,
    sessions: sessions.map((session) => ({ ...session, callMs: 0, turnMs: 0, idleMs: 0, lines: CLOSED })),
  };
}

const CLOSED = ["models { auto none }", "permit { forbidden * }"];
