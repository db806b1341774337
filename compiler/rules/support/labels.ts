import type { Label } from "../../../engine/lib/wire/generated/policy.ts";

/** A label without integrity, as pages and tables both have it. */
type Secrecy = Pick<Label, "confidentiality" | "compartments">;

/** What is meant where a page writes no label. */
const PUBLIC: Secrecy = { confidentiality: 0, compartments: 0n };

/** True where what bears the first label may flow to where the second one stands, integrity left aside. */
export function isBelow(low: Secrecy = PUBLIC, high: Secrecy = PUBLIC): boolean {
  return low.confidentiality <= high.confidentiality && (low.compartments & ~high.compartments) === 0n;
}
