import { expect, test } from "vitest";
import type { Mode } from "../../../lang/tree/index.ts";
import { canReachLooser, isLooser, type Outcomes, type Reach, reachOf } from "./strictness.ts";

test("modes are ordered from the loosest to the strictest, and none is looser than itself", () => {
  const modes: readonly Mode[] = ["auto", "consent", "stepUp", "forbidden"];
  const looser = modes.map((left) => modes.filter((right) => isLooser(left, right)));
  expect(looser).toEqual([["consent", "stepUp", "forbidden"], ["stepUp", "forbidden"], ["forbidden"], []]);
});

const either = (met: Mode, otherwise?: Mode, group: object = {}): Outcomes => ({ met, otherwise, group });
const one = {};

test.each<[string, readonly Outcomes[], Reach]>([
  ["a plain line reaches its own mode", [either("consent")], { loosest: "consent", strictest: "consent" }],
  ["a condition reaches both of its modes", [either("auto", "stepUp")], { loosest: "auto", strictest: "stepUp" }],
  [
    "a condition that is stricter if met reaches both of its modes",
    [either("stepUp", "auto")],
    { loosest: "auto", strictest: "stepUp" },
  ],
  [
    "the strictest of several lines that apply decides at both ends",
    [either("auto", "consent"), either("consent", "forbidden")],
    { loosest: "consent", strictest: "forbidden" },
  ],
  [
    "the order of lines does not matter",
    [either("stepUp"), either("auto", "consent")],
    { loosest: "stepUp", strictest: "stepUp" },
  ],
  [
    "lines of one group reach the mode of each line",
    [either("consent"), either("auto", "consent", one), either("consent", "forbidden", one)],
    { loosest: "consent", strictest: "forbidden" },
  ],
  [
    "lines of one group reach the strictest mode of their `else`",
    [either("stepUp", "auto", one), either("forbidden", "consent", one)],
    { loosest: "consent", strictest: "forbidden" },
  ],
  [
    "the `else` is not reached beside a line without a condition",
    [either("stepUp", "auto", one), either("consent", undefined, one)],
    { loosest: "consent", strictest: "stepUp" },
  ],
])("%s", (_, clauses, reach) => {
  expect(reachOf(clauses)).toEqual(reach);
});

test("a range of modes is looser than another if either of its ends is looser", () => {
  const gated: Reach = { loosest: "consent", strictest: "stepUp" };
  expect(canReachLooser(gated, gated)).toBe(false);
  expect(canReachLooser({ ...gated, loosest: "auto" }, gated)).toBe(true);
  expect(canReachLooser({ ...gated, strictest: "consent" }, gated)).toBe(true);
  expect(canReachLooser(gated, { ...gated, loosest: "auto" })).toBe(false);
});
