import type { Label, Lattice } from "../../engine/wire/generated/policy.ts";

/** In tables, an integrity that nothing asks for. */
const ANY_INTEGRITY = 255;

/** `secret:{finance}/reviewed`, as a page writes it. */
export function labelWords(lattice: Lattice, { confidentiality, integrity, compartments }: Label): string {
  const sets = lattice.compartments.filter((_, index) => (compartments & (1n << BigInt(index))) !== 0n);
  const level = lattice.confidentiality[confidentiality] ?? "";
  const trust = integrity === ANY_INTEGRITY ? "" : `/${lattice.integrity[integrity] ?? ""}`;
  return `${level}${sets.length === 0 ? "" : `:{${sets.join(", ")}}`}${trust}`;
}

/** Of what may be seen, not of what must be trusted: at the lowest integrity nothing is asked for. */
export function clearanceWords(lattice: Lattice, label: Label): string {
  return labelWords(lattice, label.integrity === 0 ? { ...label, integrity: ANY_INTEGRITY } : label);
}
