// Defines the texts of a finding about settings of another agent: the reason, and the setting to write instead.

/** Reason for a finding, and the setting to write instead. */
export interface FindingText {
  readonly why: string;
  readonly instead: string;
}

/**
 * Reason in the finding about a rule for a server. A new page cannot contain the rule, because it has no such server.
 * With `--page`, the rules for servers of the given page are imported.
 */
export const SERVER_LOST =
  "a page takes a server as `use mcp` with the list of its tools; --page names a page that has it";
