import fc from "fast-check";
import { expect, test } from "vitest";
import { computeMode, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import { anyLabel, anyList } from "../../../engine/lib/policy/testing/arbitrary.ts";
import { always, check, where } from "../../../engine/lib/policy/testing/sample.ts";
import type { Clause, Condition } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { computeBehaviour } from "./behaviour.ts";

const anyArguments = fc.record(
  {
    path: fc.constantFrom("a.txt", "/reports/b", "", 7),
    lines: fc.constantFrom(0, 10, 40),
    force: fc.boolean(),
  },
  { requiredKeys: [] },
);
const anyMode = fc.constantFrom(...MODES);

test("decision lists with equal behaviour give every call the same mode", () => {
  const changed = anyList.chain((list) =>
    fc.record({
      list: fc.constant(list),
      other: fc
        .tuple(fc.nat(list.clauses.length - 1), anyMode, anyMode, fc.boolean(), fc.nat(list.floors.length))
        .map(([at, met, otherwise, dropped, floor]) => ({
          clauses: list.clauses.map((clause, index) =>
            index === at ? { ...clause, met, otherwise, conditions: dropped ? [] : clause.conditions } : clause,
          ),
          floors: list.floors.toSpliced(floor, 1),
        })),
    }),
  );
  fc.assert(
    fc.property(changed, anyArguments, anyLabel, fc.boolean(), ({ list, other }, args, label, unattended) => {
      fc.pre(computeBehaviour(list, list) === computeBehaviour(other, list));
      const mode = (one: typeof list) => computeMode(one, args as JsonRecord, { label, unattended }).mode;
      expect(mode(other)).toBe(mode(list));
    }),
    { numRuns: 500 },
  );
});

test("loosening an outcome that a stricter rule hides does not change the behaviour, and loosening the strictest outcome of the list changes it", () => {
  const path = check("path", "under", "/a");
  const list = (met: "auto" | "consent") => ({
    clauses: [where([path], met, "forbidden"), always("consent", 1)],
    floors: [],
  });
  expect(computeBehaviour(list("auto"), list("auto"))).toBe(computeBehaviour(list("consent"), list("auto")));
  const loose = { clauses: [where([path], "auto", "stepUp"), always("consent", 1)], floors: [] };
  expect(computeBehaviour(loose, list("auto"))).not.toBe(computeBehaviour(list("auto"), list("auto")));
});

test("a floor and its conditions are part of the behaviour, unless a rule is at least as strict as the floor", () => {
  const floor = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n, unattended: false, rule: 1 };
  const [path, lines] = [check("path", "under", "/a"), check("lines", "lessOrEqual", 10)];
  const list = (...conditions: readonly Condition[]) => ({
    clauses: [always("auto")],
    floors: [{ ...floor, mode: "consent", conditions } as const],
  });
  const both = list(path, lines);
  expect(computeBehaviour(list(), both)).not.toBe(computeBehaviour(both, both));
  expect(computeBehaviour(list(path), both)).not.toBe(computeBehaviour(both, both));
  expect(computeBehaviour(list(lines, path), both)).toBe(computeBehaviour(both, both));
  const covered = { clauses: [where([path], "consent", "consent")], floors: both.floors };
  expect(computeBehaviour({ ...covered, floors: [] }, covered)).toBe(computeBehaviour(covered, covered));
});

test("a condition that cannot be evaluated gives the strictest outcome of the whole list", () => {
  const [path, lines] = [check("path", "under", "/a"), check("lines", "lessOrEqual", 10)];
  const beside = (first: Clause) => ({ clauses: [first, where([lines], "auto", "forbidden", 1)], floors: [] });
  const list = beside(where([path], "consent", "consent"));
  expect(computeBehaviour(beside(always("consent")), list)).not.toBe(computeBehaviour(list, list));
});

test("if conditions hold in too many combinations to enumerate, decision lists with different texts count as different", () => {
  const conditions = Array.from({ length: 9 }, (_, index) => check(`p${index}`, "equal", index));
  const list = (met: "auto" | "consent") => ({
    clauses: [where(conditions, met, "forbidden"), always("forbidden", 1)],
    floors: [],
  });
  expect(computeBehaviour(list("auto"), list("auto"))).toBe(computeBehaviour(list("auto"), list("auto")));
  expect(computeBehaviour(list("auto"), list("auto"))).not.toBe(computeBehaviour(list("consent"), list("auto")));
});
