// Checks that a change of any field of the tables appears in a cell or a fact, unless the field has no meaning.

import { expect, test } from "vitest";
import { type IndexedTables, indexTables } from "../../../engine/lib/policy/index.ts";
import { wholeTables } from "../../../engine/lib/policy/testing/whole-tables.ts";
import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { computeDifference } from "./diff.ts";
import { leavesOf, othersThan } from "./testing/leaves.ts";

/** Fields of the policy tables that have no effect on decisions. */
const MEANINGLESS = [
  /^version$/,
  /^rules\.\d+\.(words|place)$/,
  /[rR]ule$/,
  // Rule 0 has no quota that is counted on the data disk, so its id has no effect.
  /^rules\.0\.id$/,
  // These fields have no meaning: the `else` of a line without conditions, the phase of a row without phases, and the
  // price of a backend without a currency.
  /^decisions\.1\.clauses\.0\.otherwise$/,
  /^rows\.0\.phaseIndex$/,
  /^backends\.1\.(in|out)putMicros$/,
  // These fields are copies of the scope of a grant; `scope-facts.ts` compares the scope itself as a fact of the
  // machine.
  /^tools\.\d+\.(servers\.|methodDenied$)/,
];
/**
 * Fields of the policy tables that cannot be changed alone. For example, all rows of a session must have the same
 * login.
 */
const TOGETHER = [
  /^schemaVersion$/,
  /\.which$/,
  /\.login$/,
  // If a row requires a task, none of its tools may run, so its cells must change too.
  /\.requiresTask$/,
  // All rows of a task have the same parameters, so they must change together.
  /\.parameters\./,
  /\.group$/,
  /\.conditions\.1\.(term|operator)$/,
  // These fields must change together: a source and the tool's field that it names, or a text and its sources.
  /^tools\.0\.(name|strong\.0)$/,
  // The layout must fit the parameters: an argument with a pointer is not optional, and has no default.
  /^tools\.1\.(params\.0\.required|layout\.places\.0\.standard)$/,
  // The layout of tool 0 is empty. A place cannot be added alone, because a layout must have one place for each
  // parameter.
  /^tools\.0\.layout\./,
  // These fields must change together: a masked field and the name of its tool.
  /^tools\.1\.name$/,
  /^redactions\.0\.(results|arguments)\.0\.tool$/,
  /\.conditions\.2\.operator$/,
  /\.field\.(tool|isStrong)$/,
  /\.sources\.2\.field\.name$/,
  /\.related\.0\.text$/,
  // The field `extract` takes parts of an argument, such as its links. This condition tests one value as a whole, so it
  // cannot extract parts.
  /\.conditions\.0\.extract$/,
  /^categories\.3\.name$/,
  // These fields must change together: only a timer has times and a message, and its choice for missed runs is one of three words.
  /^ingresses\.(0\.(zone|missed|says)|1\.(source|missed))$/,
  // These fields must change together: the limit of the audit and its label. The label has no integrity.
  /^audit\.(hasLimit|above\.integrity)$/,
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
