import type { Span } from "../../../../lang/text/index.ts";

/** A property in which a session is wider than its parent. */
export interface ParentWidening {
  readonly at: Span;
  readonly what: string;
  readonly has: string;
}
