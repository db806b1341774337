import type { People, Principal, Session } from "./sessions.ts";

/**
 * Parts of a page outside of the process graph. They come from the tables of a manifest, or from `createClosedParts` if
 * the manifest contains no tables.
 */
export interface Parts {
  readonly system: string;
  readonly version: string;
  /** Lines that declare levels and categories. */
  readonly declarations: readonly string[];
  /**
   * The interface and the label of each service, by the name of the service, in the order of the tables. The label is
   * empty if it is the default.
   */
  readonly faces: ReadonlyMap<string, { readonly name: string; readonly label: string }>;
  readonly backends: readonly string[];
  readonly principals: readonly Principal[];
  readonly sessions: readonly WrittenSession[];
}

export interface WrittenSession extends Session {
  /** Time limit in ms; 0 if the page does not state one. */
  readonly callMs: number;
  readonly turnMs: number;
  readonly idleMs: number;
  readonly lines: readonly string[];
}

/** Returns a policy that lets nobody call anything, for a manifest without a policy. */
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
