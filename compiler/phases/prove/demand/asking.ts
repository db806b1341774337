/** What conversations come to in the rows of the tables, as far as questions to people go. */
export interface Asking {
  /** Some conversation is in this row. */
  readonly isReached: (row: number) => boolean;
  /** Some conversation in this row can call the tool so that a person is asked first. */
  readonly isGated: (row: number, tool: number) => boolean;
}
