import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { SilencedFinding } from "../silence.ts";

/** Meaning of a code, for readers of a report without `capc explain` at hand. */
export interface CodePage {
  readonly code: string;
  readonly severity: string;
  readonly because: readonly string[];
  /** Markdown. */
  readonly readme?: string;
}

/** A page that could not be read. */
export interface UnreadablePage {
  /** Path as in findings. */
  readonly file: string;
  readonly reason: string;
}

/** Results of one lint run. */
export interface Findings {
  /** Version of capc. */
  readonly version: string;
  /** Sources name files by path relative to the reader of the report, which is mostly the root of a repository. */
  readonly diagnostics: readonly Diagnostic[];
  /** Advice that was reviewed and allowed. */
  readonly silenced: readonly SilencedFinding[];
  /** Meaning of each code among the diagnostics and the silenced findings; it may contain more. */
  readonly pages: readonly CodePage[];
  readonly unread?: readonly UnreadablePage[];
}
