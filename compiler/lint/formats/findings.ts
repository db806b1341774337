import type { Diagnostic } from "../../../lang/diagnostics/index.ts";

/** What a code means, for readers of a report who have no `capc explain` at hand. */
export interface CodePage {
  readonly code: string;
  readonly severity: string;
  readonly because: readonly string[];
  /** Markdown. */
  readonly readme?: string;
}

/** What a run of lint found. */
export interface Findings {
  /** Version of capc. */
  readonly version: string;
  /** Sources name files by path from where the report is read: the root of a repository, mostly. */
  readonly diagnostics: readonly Diagnostic[];
  /** At least one for each code among the diagnostics. */
  readonly pages: readonly CodePage[];
}
