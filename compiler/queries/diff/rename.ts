/** Name of a thing in the older and in the newer tables. */
export interface Rename {
  readonly kind: "level" | "compartment" | "service" | "tool" | "session";
  readonly from: string;
  readonly to: string;
}
