import { labelText, secrecyText } from "../../../engine/lib/policy/index.ts";
import type { Label, Lattice } from "../../../engine/lib/wire/generated/policy.ts";

/** Of what may be seen, not of what must be trusted: at the lowest integrity nothing is asked for. */
export function clearanceWords(lattice: Lattice, label: Label): string {
  return label.integrity === 0 ? secrecyText(lattice, label) : labelText(lattice, label);
}
