/** Reachability queries that the computation of the prompt demand uses. */
export interface PromptReachability {
  /** Returns whether some conversation can reach this row. */
  readonly isReached: (row: number) => boolean;
  /** Returns whether some conversation in this row can call the tool so that a person is asked first. */
  readonly isGated: (row: number, tool: number) => boolean;
}
