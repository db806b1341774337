import type { Label } from "../../engine/wire/generated/policy.ts";
import type { Lattice } from "../bind/index.ts";

/** True where what bears the first label may flow to where the second one stands, integrity left aside. */
export function isBelow(low: Label, high: Label): boolean {
  return low.confidentiality <= high.confidentiality && (low.compartments & ~high.compartments) === 0n;
}

/** `secret:{finance}`, as the page writes it, without integrity. */
export function labelWords({ confidentiality, compartments }: Lattice, label: Label): string {
  const names = compartments.filter((_, index) => (label.compartments >> BigInt(index)) % 2n === 1n);
  const level = confidentiality[label.confidentiality] ?? "";
  return names.length === 0 ? level : `${level}:{${names.join(", ")}}`;
}
