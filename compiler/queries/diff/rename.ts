/** A thing of the older tables, and its name in the newer ones. */
export interface Rename {
  readonly kind: "level" | "compartment" | "service" | "tool" | "session";
  readonly from: string;
  readonly to: string;
}
