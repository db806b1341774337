import type { Span } from "../../../../lang/text/index.ts";

/** A property of which a session has more than its parent. */
export interface ParentWidening {
  readonly at: Span;
  readonly what: string;
  readonly has: string;
}
