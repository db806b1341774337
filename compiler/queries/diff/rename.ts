/** The old and the new name of a session, task, service, tool, backend, level or compartment. */
export interface Rename {
  readonly kind: "level" | "compartment" | "service" | "tool" | "backend" | "session" | "task";
  readonly from: string;
  readonly to: string;
  /**
   * How many properties of the old and the new thing are equal; `undefined` if none differs. With a likeness, the two
   * names only probably mean the same thing.
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
