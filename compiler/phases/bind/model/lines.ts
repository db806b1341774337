import type { Span } from "../../../../lang/text/index.ts";
import type { FloorLine, Line, Mode, TimeLimit, WhenNode } from "../../../../lang/tree/index.ts";
import type { BoundCheck } from "../conditions.ts";
import type { BoundQuota } from "../quota.ts";
import type { Category, Tool } from "./interfaces.ts";

/** Resolved pattern. `key` identifies the pattern; `exact` means that it names only single methods. */
export interface BoundPattern {
  readonly key: string;
  readonly exact: boolean;
  /** Set only if the pattern names a category, alone or inside an interface. */
  readonly category: Category | undefined;
  readonly tools: readonly Tool[];
  readonly span: Span;
}

export interface BoundLine {
  readonly mode: Mode;
  readonly patterns: readonly BoundPattern[];
  /** Checks of the rule, and the mode that applies if they fail. */
  readonly where: { readonly checks: readonly BoundCheck[]; readonly otherwise: Mode } | undefined;
  readonly words: string;
  readonly node: Line;
}

export interface BoundFloor {
  readonly mode: Mode;
  readonly patterns: readonly BoundPattern[];
  /**
   * A floor is an `atLeast` line in a `when` block, and sets a minimum mode. It applies only if all of these checks of the arguments hold.
   * The list is empty if the line tests no arguments.
   */
  readonly checks: readonly BoundCheck[];
  readonly when: BoundWhen;
  readonly words: string;
  readonly node: FloorLine;
}

export interface BoundWhen {
  /** Confidentiality from which the line applies; 0 if the line does not test it. */
  readonly confidentialityAtLeast: number;
  /** Integrity up to which the line applies; 255 if the line does not test it. */
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
/** How long a person's consent covers similar calls. */
export type ConsentDuration = (typeof REMEMBERED)[number];

/** Attributes that narrow a session, a task, a phase or a worker. Each session, task, phase and worker is a separate layer. */
export interface Narrowings {
  readonly lines: readonly BoundLine[];
  /** One list for each `only`. A tool must be in every list. */
  readonly only: readonly (readonly BoundPattern[])[];
  readonly suppress: readonly BoundPattern[];
  readonly floors: readonly BoundFloor[];
  readonly quotas: readonly BoundQuota[];
  readonly timeouts: readonly BoundTimeLimit[];
  readonly remember: { readonly scope: ConsentDuration; readonly span: Span } | undefined;
}
