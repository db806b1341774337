/** Name of a thing in the older and in the newer tables. */
export interface Rename {
  readonly kind: "level" | "compartment" | "service" | "tool" | "backend" | "session" | "task";
  readonly from: string;
  readonly to: string;
  /** Properties that both things have in common, if others differ. Then they are only probably the same thing. */
  readonly likeness?: Likeness;
}

export interface Likeness {
  readonly shared: number;
  /** Number of properties of the one that has more of them. */
  readonly total: number;
}
