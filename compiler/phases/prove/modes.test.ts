import { expect, test } from "vitest";
import { isStricter, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import { ANY_GATE, encodeGate, findLoosest, GATES, getLooserGates, NO_GATE, raiseGates } from "./modes.ts";

const MODES: readonly PermissionMode[] = [...GATES, "forbidden"];
const SETS = Array.from({ length: 8 }, (_, set) => set);
const gatesIn = (set: number) => GATES.filter((gate) => (set & encodeGate(gate)) !== 0);

test("raiseGates replaces each gate by the stricter of the gate and the mode, and removes all gates if the mode is `forbidden`", () => {
  for (const set of SETS) {
    for (const mode of MODES) {
      const wanted = gatesIn(set).map((gate) => (isStricter(mode, gate) ? mode : gate));
      const left = GATES.filter((gate) => wanted.includes(gate));
      expect(gatesIn(raiseGates(set, mode))).toEqual(left);
    }
  }
});

test("getLooserGates returns the gates that are looser than a mode, and findLoosest returns the loosest gate of a set", () => {
  for (const mode of MODES)
    expect(gatesIn(getLooserGates(mode))).toEqual(GATES.filter((gate) => isStricter(mode, gate)));
  expect([findLoosest(NO_GATE), findLoosest(ANY_GATE), findLoosest(encodeGate("stepUp"))]).toEqual([
    undefined,
    "auto",
    "stepUp",
  ]);
});
