import type { Span } from "../../../../lang/text/index.ts";

/** A construct that the image cannot enforce: its position, its name, and an alternative. */
export interface UnenforcedConstruct {
  readonly at: Span;
  readonly what: string;
  readonly instead: string;
}
