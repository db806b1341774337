import type { Span } from "../text/index.ts";
import type { Check, Line, Pattern } from "./lines.ts";
import type { ModeNode, Name, Numeral, Quantity } from "./names.ts";

/** Element that narrows a session, a task, a phase or a worker. */
export type Narrowing =
  | { readonly kind: "permit"; readonly lines: readonly Line[]; readonly span: Span }
  | { readonly kind: "only"; readonly patterns: readonly Pattern[]; readonly span: Span }
  | { readonly kind: "suppress"; readonly patterns: readonly Pattern[]; readonly span: Span }
  | { readonly kind: "remember"; readonly scope: Name; readonly span: Span }
  | WhenNode
  | QuotaNode
  | { readonly kind: "timeout"; readonly limits: readonly TimeLimit[]; readonly span: Span };

export interface WhenNode {
  readonly kind: "when";
  readonly met: readonly FloorCondition[];
  readonly floors: readonly FloorLine[];
  readonly span: Span;
}

export type FloorCondition =
  | { readonly kind: "confidentiality"; readonly level: Name; readonly span: Span }
  | { readonly kind: "integrity"; readonly level: Name; readonly span: Span }
  | { readonly kind: "compartment"; readonly compartment: Name; readonly span: Span }
  | { readonly kind: "unattended"; readonly span: Span };

export interface FloorLine {
  readonly mode: ModeNode;
  readonly patterns: readonly Pattern[];
  readonly where: FloorWhere | undefined;
  readonly span: Span;
}

/** The condition of a floor on the arguments of a call. A floor has no `else`: if its checks fail, it has no effect. */
export interface FloorWhere {
  readonly checks: readonly Check[];
  readonly span: Span;
}

export interface QuotaNode {
  readonly kind: "quota";
  readonly entries: readonly QuotaEntry[];
  readonly span: Span;
}

/**
 * A quota, for example `200k tokens per conversation` or `10 destructive calls per login`; `noun` is the word after the unit, such as
 * `calls`.
 */
export interface QuotaEntry {
  readonly amount: Numeral;
  readonly unit: Name;
  readonly noun: Name | undefined;
  readonly scope: Name;
  readonly span: Span;
}

export interface TimeLimit {
  readonly limit: Quantity;
  readonly scope: Name;
  readonly span: Span;
}
