import type { Span } from "../../../../lang/text/index.ts";

/** One thing that a session has more of than its parent. */
export interface ParentWidening {
  readonly at: Span;
  readonly what: string;
  readonly has: string;
}
