/** The old and the new name of a session, task, service, tool, backend, level or compartment. */
export interface Rename {
  readonly kind: "level" | "compartment" | "service" | "tool" | "backend" | "session" | "task";
  readonly from: string;
  readonly to: string;
  /**
   * Number of properties that are equal, if other properties differ. The two names then only probably mean the same
   * thing.
   */
  readonly likeness?: Likeness;
}

export interface Likeness {
  readonly shared: number;
  /** Number of properties of the old or the new thing, whichever has more. */
  readonly total: number;
  /** Names of the properties that differ, without duplicates. */
  readonly differing: readonly string[];
}
