// The texts of a finding about settings of another program.

/** Reason for a finding, and what to write instead. */
export interface FindingText {
  readonly why: string;
  readonly instead: string;
}
