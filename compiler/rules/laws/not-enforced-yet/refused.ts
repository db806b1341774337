import type { Span } from "../../../../lang/text/index.ts";

/** A construct that nothing enforces: its place, its name, and an alternative. */
export interface UnenforcedConstruct {
  readonly at: Span;
  readonly what: string;
  readonly instead: string;
}
