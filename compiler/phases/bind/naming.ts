import type { Span } from "../../../lang/text/index.ts";

/** A place of a page that names or declares something. */
export interface Naming {
  readonly span: Span;
  /** The kind of thing: `session`, `service`, `method of Files`, `phase of operator.triage`. */
  readonly what: string;
  /** Identifier that all places naming this thing share: `operator`, `profiles.operator`, `operator.triage`. */
  readonly id: string;
  readonly declares: boolean;
}
