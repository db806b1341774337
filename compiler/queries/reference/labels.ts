import { formatLabel, formatSecrecy } from "../../../engine/lib/policy/index.ts";
import type { Label, Lattice } from "../../../engine/lib/wire/generated/policy.ts";

/** Renders a label as a clearance. At the lowest integrity no trust is required, so only secrecy is shown. */
export function renderClearance(lattice: Lattice, label: Label): string {
  return label.integrity === 0 ? formatSecrecy(lattice, label) : formatLabel(lattice, label);
}
