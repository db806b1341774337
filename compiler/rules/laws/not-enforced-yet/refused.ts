import type { Span } from "../../../../lang/text/index.ts";

/** A construct that nothing enforces: where it stands, what it is, and what to do instead. */
export interface UnenforcedConstruct {
  readonly at: Span;
  readonly what: string;
  readonly instead: string;
}
