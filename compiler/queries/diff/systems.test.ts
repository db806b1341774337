// Tests that the report about two whole systems is complete: if the reported changes are made to the older system, the
// result is the newer system.
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeDifference, type Difference } from "./diff.ts";
import { adoptLabels } from "./label-edits.ts";
import { applied, cellTexts } from "./testing/applied.ts";
import { anyPair, factsApplied, flowTexts, quotasOf, type System, systemOf } from "./testing/systems.ts";

const RUNS = { numRuns: 60 };

async function both({ before, twists, after, more }: typeof anyPair extends fc.Arbitrary<infer T> ? T : never) {
  const [old, now] = [await systemOf(before, twists), await systemOf(after ?? before, more)];
  return { old, now, found: computeDifference(old, now) };
}

const sorted = <T>(map: ReadonlyMap<string, T>): Map<string, T> => new Map([...map].sort());

const quotaChanges = ({ facts }: Difference) => facts.filter(({ what }) => what.startsWith("quota of "));

/** Throws if the report lacks a difference, or contains one that does not exist. */
function holds(old: System, now: System, found: Difference): void {
  expect(sorted(applied(cellTexts(old.tables), found.cells))).toEqual(sorted(cellTexts(now.tables)));
  expect(sorted(factsApplied(quotasOf(old, now), quotaChanges(found)))).toEqual(sorted(quotasOf(now, old)));
  // The report compares flows as if the older system had the labels of the newer system, so this check does the same.
  const relabelled = { ...old, tables: adoptLabels(old.tables, now.tables) ?? old.tables };
  expect(sorted(factsApplied(flowTexts(relabelled), found.flows))).toEqual(sorted(flowTexts(now)));
}

test("a system does not differ from itself after a second compilation", async () => {
  await fc.assert(
    fc.asyncProperty(anyPair, async ({ before, twists }) => {
      const [one, same] = [await systemOf(before, twists), await systemOf(before, twists)];
      expect(computeDifference(one, same)).toEqual({
        cells: [],
        facts: [],
        stated: [],
        flows: [],
        labels: [],
        flowsSkipped: undefined,
      });
    }),
    RUNS,
  );
});

test("applying the reported cells, quotas and flows to the older system gives the newer one", async () => {
  const told = { cells: 0, quotas: 0, flows: 0 };
  await fc.assert(
    fc.asyncProperty(anyPair, async (pair) => {
      const { old, now, found } = await both(pair);
      told.cells += found.cells.length;
      told.quotas += quotaChanges(found).length;
      told.flows += found.flows.length;
      holds(old, now, found);
    }),
    RUNS,
  );
  for (const count of Object.values(told)) expect(count).toBeGreaterThan(RUNS.numRuns / 3);
});

test("a report that lacks one of its cells, quotas or flows does not give the newer system", async () => {
  await fc.assert(
    fc.asyncProperty(anyPair, fc.nat(), async (pair, at) => {
      const { old, now, found } = await both(pair);
      const without = <T>(items: readonly T[]) => items.filter((_, index) => index !== at % items.length);
      const [quotas, { cells, flows }] = [quotaChanges(found), found];
      if (cells.length > 0) expect(() => holds(old, now, { ...found, cells: without(cells) })).toThrow();
      if (quotas.length > 0) expect(() => holds(old, now, { ...found, facts: without(quotas) })).toThrow();
      if (flows.length > 0) expect(() => holds(old, now, { ...found, flows: without(flows) })).toThrow();
    }),
    RUNS,
  );
});

test("a newly possible flow has an example from the newer system, and a newly impossible flow has an example from the older system", async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(anyPair, async (pair) => {
      for (const { flows, direction } of (await both(pair)).found.flows) {
        const expected = { widened: ["now"], narrowed: ["before"], moved: ["before", "now"] }[direction];
        expect([...new Set(flows.map(({ possible }) => possible))]).toEqual(expected);
        shown += flows.filter(({ witness }) => witness.ok).length;
      }
    }),
    RUNS,
  );
  expect(shown).toBeGreaterThan(RUNS.numRuns);
});
