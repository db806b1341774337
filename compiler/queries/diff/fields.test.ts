// Tests every field of the tables: a change of the field is reported as a changed decision or fact, or the field is
// known to have no effect. A new field that is ignored fails this test.

import { expect, test } from "vitest";
import { type IndexedTables, indexTables } from "../../../engine/lib/policy/index.ts";
import { wholeTables } from "../../../engine/lib/policy/testing/whole-tables.ts";
import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { computeDifference } from "./diff.ts";
import { leavesOf, othersThan } from "./testing/leaves.ts";

/** Fields without effect on decisions. */
const MEANINGLESS = [
  /^version$/,
  /^rules\.\d+\.(words|place)$/,
  /[rR]ule$/,
  // Counts of the persistent quota are stored under the identifier of rule 1. The identifier of rule 0 has no effect.
  /^rules\.0\.id$/,
  // These fields have no effect: no call of this decision needs a prompt, this session has no phase, and this backend
  // has no currency.
  /^decisions\.1\.clauses\.0\.otherwise$/,
  /^rows\.0\.phaseIndex$/,
  /^backends\.1\.(in|out)putMicros$/,
];
/** Fields that cannot be changed alone, because other fields must change with them. */
const TOGETHER = [
  /^schemaVersion$/,
  /\.which$/,
  /\.login$/,
  // A session that requires a task has no tool that may run, so its decisions would have to change too.
  /\.requiresTask$/,
  // All phases of a task have the same parameters.
  /\.parameters\./,
  /\.group$/,
  /\.conditions\.1\.(term|operator)$/,
  // A source contains the tool and the field that it names. A condition has either texts or sources.
  /^tools\.0\.(name|strong\.0)$/,
  // Each position of a layout belongs to a required parameter without a default, so neither can be changed alone.
  /^tools\.1\.(params\.0\.required|layout\.places\.0\.standard)$/,
  // Tool 0 has no layout, and a layout without a position for a parameter is invalid.
  /^tools\.0\.layout\./,
  // A masked field contains the name of its tool.
  /^tools\.1\.name$/,
  /^redactions\.0\.(results|arguments)\.0\.tool$/,
  /\.conditions\.2\.operator$/,
  /\.field\.(tool|isStrong)$/,
  /\.sources\.2\.field\.name$/,
  /\.related\.0\.text$/,
  // Only a list has elements, so the condition of a single value must not extract elements.
  /\.conditions\.0\.extract$/,
  /^categories\.3\.name$/,
];

function indexed(made: PolicyTables): IndexedTables {
  const read = indexTables(made);
  return read.ok ? read.value : bug(read.reason);
}

function isTold(before: IndexedTables, after: IndexedTables): boolean {
  const { cells, facts } = computeDifference(
    { tables: before, machine: undefined, flows: undefined },
    { tables: after, machine: undefined, flows: undefined },
  );
  return cells.length + facts.length > 0;
}

test("a change of any field with an effect is reported", () => {
  const [before, after] = [indexed(wholeTables()), wholeTables()];
  const untold = leavesOf(after)
    .filter(({ path }) => ![...MEANINGLESS, ...TOGETHER].some((known) => known.test(path)))
    .filter((leaf) => {
      const tries = othersThan(leaf).flatMap((other): boolean[] => {
        const restore = leaf.setTo(other);
        const read = indexTables(structuredClone(after));
        const told = read.ok ? [isTold(before, read.value)] : [];
        restore();
        return told;
      });
      return tries.length === 0 || tries.includes(false);
    });
  expect(untold.map(({ path }) => path)).toEqual([]);
});
