import type { PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Gate } from "./proof.ts";

/** Set of modes, as bits: the modes other than `forbidden` with which a call may run. */
export type Gates = number;

/** All modes except `forbidden`, the loosest first. */
export const GATES = ["auto", "consent", "stepUp"] as const satisfies readonly Gate[];
const BIT = { auto: 1, consent: 2, stepUp: 4, forbidden: 0 } as const satisfies Record<PermissionMode, Gates>;
export const NO_GATE: Gates = 0;
export const ANY_GATE: Gates = 7;

/** Returns the set that contains only this mode, or the empty set for `forbidden`. */
export function encodeGate(mode: PermissionMode): Gates {
  return BIT[mode];
}

/** Returns the gates that are less strict than a mode. */
export function getLooserGates(mode: PermissionMode): Gates {
  return mode === "forbidden" ? ANY_GATE : BIT[mode] - 1;
}

/** Returns the set in which each gate is replaced by the stricter of the gate and `mode`. */
export function raiseGates(gates: Gates, mode: PermissionMode): Gates {
  if (mode === "forbidden") return NO_GATE;
  const looser = gates & getLooserGates(mode);
  return (gates & ~looser) | (looser === 0 ? 0 : BIT[mode]);
}

/** Returns the loosest gate of a set; `undefined` for the empty set. */
export function findLoosest(gates: Gates): Gate | undefined {
  return GATES.find((gate) => (gates & BIT[gate]) !== 0);
}
