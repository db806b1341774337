import type { Label } from "../../../engine/lib/wire/generated/policy.ts";

/** A label without integrity, in a form that pages and tables share. */
type Secrecy = Pick<Label, "confidentiality" | "compartments">;

/** Default label if the page states none. */
const PUBLIC: Secrecy = { confidentiality: 0, compartments: 0n };

/** Returns whether data with the first label may flow to a sink with the second label, regardless of integrity. */
export function isBelow(low: Secrecy = PUBLIC, high: Secrecy = PUBLIC): boolean {
  return low.confidentiality <= high.confidentiality && (low.compartments & ~high.compartments) === 0n;
}
