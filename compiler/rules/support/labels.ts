import type { Label } from "../../../engine/lib/wire/generated/policy.ts";

/** A label without integrity, as pages and tables both have it. */
type Secrecy = Pick<Label, "confidentiality" | "compartments">;

/** Default if a page writes no label. */
const PUBLIC: Secrecy = { confidentiality: 0, compartments: 0n };

/** Returns whether data with the first label may flow to a place with the second one, regardless of integrity. */
export function isBelow(low: Secrecy = PUBLIC, high: Secrecy = PUBLIC): boolean {
  return low.confidentiality <= high.confidentiality && (low.compartments & ~high.compartments) === 0n;
}
