import { formatLabel, formatSecrecy } from "../../../engine/lib/policy/index.ts";
import type { Label, Lattice } from "../../../engine/lib/wire/generated/policy.ts";

/** Renders a label as a clearance. The lowest integrity requires no trust, so it is not shown. */
export function renderClearance(lattice: Lattice, label: Label): string {
  return label.integrity === 0 ? formatSecrecy(lattice, label) : formatLabel(lattice, label);
}
