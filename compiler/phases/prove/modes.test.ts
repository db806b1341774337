import { expect, test } from "vitest";
import { isStricter, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import { ANY_GATE, GATES, gateBit, looserThan, loosest, NO_GATE, raised } from "./modes.ts";

const MODES: readonly PermissionMode[] = [...GATES, "forbidden"];
const SETS = Array.from({ length: 8 }, (_, set) => set);
const gatesIn = (set: number) => GATES.filter((gate) => (set & gateBit(gate)) !== 0);

test("a mode beside a set leaves of each gate the stricter of both, and nothing where it forbids", () => {
  for (const set of SETS) {
    for (const mode of MODES) {
      const wanted = gatesIn(set).map((gate) => (isStricter(mode, gate) ? mode : gate));
      const left = GATES.filter((gate) => wanted.includes(gate));
      expect(gatesIn(raised(set, mode))).toEqual(left);
    }
  }
});

test("what is less strict than a mode, and the loosest of a set", () => {
  for (const mode of MODES) expect(gatesIn(looserThan(mode))).toEqual(GATES.filter((gate) => isStricter(mode, gate)));
  expect([loosest(NO_GATE), loosest(ANY_GATE), loosest(gateBit("stepUp"))]).toEqual([undefined, "auto", "stepUp"]);
});
