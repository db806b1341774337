// The report of a difference that text, JSON, Markdown and SARIF share; report.ts builds it.

import type { Span } from "../../../lang/text/index.ts";
import type { CellChange, Direction, Owner } from "../../queries/diff/index.ts";

/** One thing that changed, for a person. */
export interface ChangeReport {
  readonly direction: Direction;
  /** More authority, certainly or possibly. */
  readonly widens: boolean;
  /** Rows with the tools that it is about, or places of a fact. */
  readonly at: readonly { readonly place: string; readonly tools: readonly string[] }[];
  /** What of it; empty where it is how tools are decided. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** Calls that show it. */
  readonly witnesses: readonly CallReport[];
  /** Of flows: conversations that show it. */
  readonly ways: readonly FlowReport[];
  /** Lines of the new side that say so. */
  readonly lines: readonly LineReport[];
  readonly because: readonly string[];
  /** Of a widening without a reason: why there is none, and how one can be given. */
  readonly unsaid?: string;
  /** Whose declaration it is about. */
  readonly owner: Owner | undefined;
}

/** A call that is decided otherwise than before; without arguments where none was found and none can be ruled out. */
export interface CallReport {
  readonly tool: string;
  readonly arguments: string | undefined;
  /** Of the conversation: where floors have no part in it, any. */
  readonly label: string | undefined;
  readonly unattended: boolean;
  readonly before: string;
  readonly after: string;
}

/** A flow that one of the two sides has. */
export interface FlowReport {
  readonly possible: "now" | "before";
  /** `secret` */
  readonly source: string;
  /** `backend frontier` */
  readonly sink: string;
  /** The shortest conversations, a line each step; or why none can be shown. */
  readonly story: readonly string[];
  /** The same for programs; null where none can be shown. */
  readonly witness: object | null;
}

export interface LineReport {
  readonly words: string;
  readonly place: string;
  readonly span: Span | undefined;
}

export interface DiffReport {
  readonly before: SideName;
  readonly after: SideName;
  /** Widened first, then what moved, then narrowed; each in the order in which it was found. */
  readonly changes: readonly ChangeReport[];
  /** Cells that are said in other lines, and decided as before. */
  readonly alike: number;
  readonly cells: readonly CellChange[];
  /** What may be different all the same, in words. */
  readonly notCompared: readonly string[];
  /** Why something that may widen was not compared; undefined if all was compared, or if the reviewer gave a reason. */
  readonly uncompared: string | undefined;
}

export interface SideName {
  readonly name: string;
  readonly system: string;
  readonly version: string;
}
