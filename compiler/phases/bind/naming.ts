import type { Span } from "../../../lang/text/index.ts";

/** A place of a page that names or declares something. */
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
