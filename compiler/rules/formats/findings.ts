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
  /** Path as findings would name it. */
  readonly file: string;
  readonly reason: string;
}

/** Results of one lint run. */
export interface Findings {
  /** Version of capc. */
  readonly version: string;
  /** Sources name files by path from where the report is read: the root of a repository, mostly. */
  readonly diagnostics: readonly Diagnostic[];
  /** Advice that was looked at and allowed. */
  readonly silenced: readonly SilencedFinding[];
  /** Meaning of each code among the diagnostics and the silenced findings; may hold more. */
  readonly pages: readonly CodePage[];
  readonly unread?: readonly UnreadablePage[];
}
