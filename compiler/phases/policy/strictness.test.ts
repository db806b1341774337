import { expect, test } from "vitest";
import type { Mode } from "../../../lang/tree/index.ts";
import { canReachLooser, isLooser, type Outcomes, type Reach, reachOf } from "./strictness.ts";

test("modes from the loosest to the strictest; none is looser than itself", () => {
  const modes: readonly Mode[] = ["auto", "consent", "stepUp", "forbidden"];
  const looser = modes.map((left) => modes.filter((right) => isLooser(left, right)));
  expect(looser).toEqual([["consent", "stepUp", "forbidden"], ["stepUp", "forbidden"], ["forbidden"], []]);
});

const either = (met: Mode, otherwise?: Mode, group: object = {}): Outcomes => ({ met, otherwise, group });
const one = {};

test.each<[string, readonly Outcomes[], Reach]>([
  ["a plain line reaches itself", [either("consent")], { loosest: "consent", strictest: "consent" }],
  ["a condition reaches both", [either("auto", "stepUp")], { loosest: "auto", strictest: "stepUp" }],
  ["so does one that tightens", [either("stepUp", "auto")], { loosest: "auto", strictest: "stepUp" }],
  [
    "of lines that hold together the strictest decides at both ends",
    [either("auto", "consent"), either("consent", "forbidden")],
    { loosest: "consent", strictest: "forbidden" },
  ],
  [
    "whichever of them stands first",
    [either("stepUp"), either("auto", "consent")],
    { loosest: "stepUp", strictest: "stepUp" },
  ],
  [
    "lines of one group reach the mode of each",
    [either("consent"), either("auto", "consent", one), either("consent", "forbidden", one)],
    { loosest: "consent", strictest: "forbidden" },
  ],
  [
    "and the strictest behind their else",
    [either("stepUp", "auto", one), either("forbidden", "consent", one)],
    { loosest: "consent", strictest: "forbidden" },
  ],
  [
    "no else is reached beside a line without a condition",
    [either("stepUp", "auto", one), either("consent", undefined, one)],
    { loosest: "consent", strictest: "stepUp" },
  ],
])("%s", (_, clauses, reach) => {
  expect(reachOf(clauses)).toEqual(reach);
});

test("a reach is looser than another one where either of its ends is", () => {
  const gated: Reach = { loosest: "consent", strictest: "stepUp" };
  expect(canReachLooser(gated, gated)).toBe(false);
  expect(canReachLooser({ ...gated, loosest: "auto" }, gated)).toBe(true);
  expect(canReachLooser({ ...gated, strictest: "consent" }, gated)).toBe(true);
  expect(canReachLooser(gated, { ...gated, loosest: "auto" })).toBe(false);
});
