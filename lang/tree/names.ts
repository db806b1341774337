import type { Span } from "../text/index.ts";

export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** A name such as `a.b.c`, with at least one part. */
export interface Reference {
  readonly parts: readonly Name[];
  readonly text: string;
  readonly span: Span;
}

/** A string literal; `value` has its escapes resolved. */
export interface Words {
  readonly value: string;
  readonly span: Span;
}

/** An exact decimal in digits, with `k` and `M` multiplied out; never a floating-point number. */
export interface Numeral {
  readonly decimal: string;
  readonly span: Span;
}

export interface Quantity {
  readonly amount: Numeral;
  readonly unit: Name;
  readonly span: Span;
}

export interface LabelNode {
  readonly level: Name;
  readonly compartments: readonly Name[];
  readonly integrity: Name | undefined;
  readonly span: Span;
}

export type Mode = "auto" | "consent" | "stepUp" | "forbidden";

export interface ModeNode {
  readonly mode: Mode;
  readonly span: Span;
}

/** A value that the page writes as one keyword, and the span of this keyword. */
export interface KeywordValue<T> {
  readonly value: T;
  readonly span: Span;
}

/** Fields of every declaration. `doc` is the text of the `///` lines before the declaration. */
export interface DeclarationBase {
  readonly name: Name;
  readonly doc: string;
  readonly span: Span;
  /** Whether a syntax error was reported inside the declaration. If so, parts of the declaration may be missing. */
  readonly damaged: boolean;
}
