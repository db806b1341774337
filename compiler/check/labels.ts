import type { Label } from "../../engine/wire/generated/policy.ts";
import type { Lattice } from "../bind/index.ts";

/** A label without integrity, as pages and tables both have it. */
type Secrecy = Pick<Label, "confidentiality" | "compartments">;

/** What is meant where a page writes no label. */
const PUBLIC: Secrecy = { confidentiality: 0, compartments: 0n };

/** True where what bears the first label may flow to where the second one stands, integrity left aside. */
export function isBelow(low: Secrecy = PUBLIC, high: Secrecy = PUBLIC): boolean {
  return low.confidentiality <= high.confidentiality && (low.compartments & ~high.compartments) === 0n;
}

/** `secret:{finance}`, as the page writes it, without integrity. */
export function labelWords(lattice: Lattice, label: Secrecy): string {
  const names = compartmentsIn(lattice, label.compartments);
  const level = lattice.confidentiality[label.confidentiality] ?? "";
  return names.length === 0 ? level : `${level}:{${names.join(", ")}}`;
}

/** The names of a set of compartments, in the page's order. */
export function compartmentsIn({ compartments }: Lattice, set: bigint): string[] {
  return compartments.filter((_, index) => (set >> BigInt(index)) % 2n === 1n);
}
