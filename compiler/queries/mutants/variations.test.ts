import { expect, test } from "vitest";
import { always, check, where } from "../../../engine/lib/policy/testing/sample.ts";
import type { Decision } from "../../../engine/lib/wire/generated/policy.ts";
import { createVariations } from "./variations.ts";

const changes = (list: Decision) => createVariations(list).map(({ change }) => change);
const under = (folder: string) => check("path", "under", folder);

test("a mode changes to the adjacent modes; the strictest and the loosest mode have only one adjacent mode", () => {
  expect(changes({ clauses: [always("auto")], floors: [] })).toEqual(["consent instead of auto"]);
  expect(changes({ clauses: [always("consent")], floors: [] })).toEqual([
    "auto instead of consent",
    "stepUp instead of consent",
  ]);
  expect(changes({ clauses: [always("forbidden")], floors: [] })).toEqual(["stepUp instead of forbidden"]);
});

test("a mutant of a rule removes its condition, swaps its two outcomes, or changes one outcome to an adjacent mode", () => {
  expect(changes({ clauses: [where([under("/a")], "auto", "forbidden")], floors: [] })).toEqual([
    "as if its condition always held",
    "with its two outcomes swapped",
    "consent instead of auto where its condition holds",
    "stepUp instead of forbidden where it fails",
  ]);
});

test("each condition of a rule with several conditions is removed in a mutant of its own", () => {
  const size = { ...check("path", "less", 3), term: "size" as const };
  const list = { clauses: [where([under("/a"), size], "auto", "forbidden")], floors: [] };
  // Both conditions are about the argument `path`, so each change states its whole condition.
  expect(changes(list)).toContain('without its condition path under "/a"');
  expect(changes(list)).toContain("without its condition size(path) < 3");
});

test("equal mutants are listed once", () => {
  // These two changes have the same effect, so they are one mutant: the condition is removed, or the mode after `else`
  // becomes `auto`.
  expect(changes({ clauses: [where([under("/a")], "auto", "consent")], floors: [] })).toEqual([
    "as if its condition always held",
    "with its two outcomes swapped",
    "consent instead of auto where its condition holds",
    "stepUp instead of consent where it fails",
  ]);
});

test("a change that a stricter rule hides is not a mutant", () => {
  expect(changes({ clauses: [always("auto", 0), always("forbidden", 1)], floors: [] })).toEqual([
    "stepUp instead of forbidden",
  ]);
  const covered = [where([under("/a")], "auto", "consent", 0), always("stepUp", 1)];
  expect(changes({ clauses: covered, floors: [] })).toEqual([
    "consent instead of stepUp",
    "forbidden instead of stepUp",
  ]);
});
