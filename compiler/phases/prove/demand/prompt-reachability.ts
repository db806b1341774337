/** Reachability queries that the computation of the prompt demand uses. */
export interface PromptReachability {
  /** Some conversation is in this row. */
  readonly isReached: (row: number) => boolean;
  /** Some conversation in this row can call the tool so that a person is asked first. */
  readonly isGated: (row: number, tool: number) => boolean;
}
