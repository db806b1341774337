import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { SilencedFinding } from "../silence.ts";

/** Meaning of a code, for readers of a report who cannot run `capc explain`. */
export interface CodePage {
  readonly code: string;
  readonly severity: string;
  readonly because: readonly string[];
  /** Documentation of the code in Markdown. */
  readonly readme?: string;
}

/** A page that could not be read. */
export interface UnreadablePage {
  /** Path in the form that findings use. */
  readonly file: string;
  readonly reason: string;
}

/** Results of one lint run. */
export interface Findings {
  /** Version of capc. */
  readonly version: string;
  /**
   * Findings; paths in them are relative to the folder from which the report is read, usually the root of a repository.
   */
  readonly diagnostics: readonly Diagnostic[];
  /** Advice that was reviewed and allowed. */
  readonly silenced: readonly SilencedFinding[];
  /** Meaning of each code that occurs in the diagnostics and the silenced findings, and perhaps of other codes. */
  readonly pages: readonly CodePage[];
  readonly unread?: readonly UnreadablePage[];
}
