// The texts of a finding about settings of another program.

/** Reason for a finding, and the setting to write instead. */
export interface FindingText {
  readonly why: string;
  readonly instead: string;
}

/**
 * Reason for a rule about a server that is not on a new page. With `--page`, rules about servers of the given page are
 * imported.
 */
export const SERVER_LOST =
  "a page takes a server as `use mcp` with the list of its tools; --page names a page that has it";
