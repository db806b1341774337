import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { SilencedFinding } from "../silence.ts";

/** Explanation of a code, for readers who cannot run `capc explain`. */
export interface CodePage {
  readonly code: string;
  readonly severity: string;
  readonly because: readonly string[];
  /** Markdown. */
  readonly readme?: string;
}

/** A page that could not be read. */
export interface UnreadablePage {
  /** Path in the same form as in findings. */
  readonly file: string;
  readonly reason: string;
}

/** Results of one lint run. */
export interface Findings {
  /** Version of capc. */
  readonly version: string;
  /** Source paths are relative to the folder of the report's reader, which is usually the root of a repository. */
  readonly diagnostics: readonly Diagnostic[];
  /** Advice that was reviewed and allowed. */
  readonly silenced: readonly SilencedFinding[];
  /** Explanation of each code that occurs in the findings; it may also contain other codes. */
  readonly pages: readonly CodePage[];
  readonly unread?: readonly UnreadablePage[];
}
