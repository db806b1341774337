import { expect, test } from "vitest";
import { leavesOf, othersThan } from "../../compiler/queries/diff/testing/leaves.ts";
import { row, tables } from "../../engine/lib/policy/testing/sample.ts";
import { wholeTables } from "../../engine/lib/policy/testing/whole-tables.ts";
import { renderTables } from "./text.ts";

/** Not in the text: a price without a currency, a second answer where nothing is asked, and the shape of a union. */
const LEFT_OUT = [
  /^backends\.1\.(in|out)putMicros$/,
  /^decisions\.1\.clauses\.0\.otherwise$/,
  /\.which$/,
  // The line that requires a task, where none does.
  /\.taskRule$/,
  // The tool's statement about its field, and a text in place of sources.
  /\.isStrong$/,
  /\.related\.0\.text$/,
  // A gap: the text does not say whose program answers, and `golden/` holds the text.
  /^tools\.\d+\.pageProgram$/,
];

test("the text of the tables contains every value: a field that is left out fails here", () => {
  const whole = wholeTables();
  const before = renderTables(whole);
  const untold = leavesOf(whole)
    .filter(({ path }) => !LEFT_OUT.some((known) => known.test(path)))
    .filter((leaf) =>
      othersThan(leaf).some((other) => {
        const restore = leaf.setTo(other);
        const after = renderTables(whole);
        restore();
        return after === before;
      }),
    );
  expect(untold.map(({ path }) => path)).toEqual([]);
});

test("a row without running tools is described with the line that requires it", () => {
  const closed = row("operator", [1], { requiresTask: true, taskRule: 1 });
  const text = renderTables(tables({ rows: [closed, row("operator", [2], { task: "pay" })] }));
  expect(text.match(/nothing runs outside of a task, by rule 1/g)).toHaveLength(1);
});
