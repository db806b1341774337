import type { Span } from "../../../lang/text/index.ts";

/** A name on a page that refers to a declaration or is part of one. */
export interface Naming {
  readonly span: Span;
  /** Kind of the named declaration: `session`, `service`, `method of Files`, `phase of operator.triage`. */
  readonly what: string;
  /**
   * Identifier of the named declaration, which is the same at all places: `operator`, `profiles.operator`,
   * `operator.triage`.
   */
  readonly id: string;
  readonly declares: boolean;
}
