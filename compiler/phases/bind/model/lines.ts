import type { Span } from "../../../../lang/text/index.ts";
import type { FloorLine, Line, Mode, TimeLimit, WhenNode } from "../../../../lang/tree/index.ts";
import type { BoundCheck } from "../conditions.ts";
import type { BoundQuota } from "../quota.ts";
import type { Category, Tool } from "./interfaces.ts";

/**
 * Resolved pattern. A pattern with its names resolved; `key` is its canonical text, and `exact` is true if it names a
 * single method.
 */
export interface BoundPattern {
  readonly key: string;
  readonly exact: boolean;
  /** Category that the pattern names, alone or within an interface; otherwise `undefined`. */
  readonly category: Category | undefined;
  readonly tools: readonly Tool[];
  readonly span: Span;
}

export interface BoundLine {
  readonly mode: Mode;
  readonly patterns: readonly BoundPattern[];
  /** Checks of the line, and the mode if a check fails. */
  readonly where: { readonly checks: readonly BoundCheck[]; readonly otherwise: Mode } | undefined;
  readonly words: string;
  readonly node: Line;
}

export interface BoundFloor {
  readonly mode: Mode;
  readonly patterns: readonly BoundPattern[];
  /** Checks that must all hold for the arguments; empty if the floor has no conditions on arguments. */
  readonly checks: readonly BoundCheck[];
  readonly when: BoundWhen;
  readonly words: string;
  readonly node: FloorLine;
}

export interface BoundWhen {
  /** Minimum confidentiality of the conversation; 0 if the `when` block has no such condition. */
  readonly confidentialityAtLeast: number;
  /** Maximum integrity of the conversation; 255 if the `when` block has no such condition. */
  readonly integrityAtMost: number;
  readonly compartments: bigint;
  readonly unattended: boolean;
  readonly node: WhenNode;
}

export interface BoundTimeLimit {
  readonly scope: "call" | "turn" | "login" | "idle";
  readonly milliseconds: number;
  readonly node: TimeLimit;
}

export const REMEMBERED = ["turn", "conversation"] as const;
/** Duration for which a person's consent covers similar calls. */
export type ConsentDuration = (typeof REMEMBERED)[number];

/**
 * Attributes that narrow the rights of a layer. A session, a task, a phase and a worker can have the same attributes,
 * and each is a separate layer.
 */
export interface Narrowings {
  readonly lines: readonly BoundLine[];
  /** One list for each `only`; a tool must be in all of these lists. */
  readonly only: readonly (readonly BoundPattern[])[];
  readonly suppress: readonly BoundPattern[];
  readonly floors: readonly BoundFloor[];
  readonly quotas: readonly BoundQuota[];
  readonly timeouts: readonly BoundTimeLimit[];
  readonly remember: { readonly scope: ConsentDuration; readonly span: Span } | undefined;
}
