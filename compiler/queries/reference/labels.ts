import { formatLabel, formatSecrecy } from "../../../engine/lib/policy/index.ts";
import type { Label, Lattice } from "../../../engine/lib/wire/generated/policy.ts";

/** Of what may be seen, not of what must be trusted: at the lowest integrity nothing is asked for. */
export function renderClearance(lattice: Lattice, label: Label): string {
  return label.integrity === 0 ? formatSecrecy(lattice, label) : formatLabel(lattice, label);
}
