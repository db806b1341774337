import { expect, test } from "vitest";
import { leavesOf, othersThan } from "../../compiler/queries/diff/testing/leaves.ts";
import { row, tables } from "../../engine/lib/policy/testing/sample.ts";
import { wholeTables } from "../../engine/lib/policy/testing/whole-tables.ts";
import { renderTables } from "./text.ts";

/** Fields that the text leaves out: prices without a currency, the second mode of a rule without conditions, and tags of unions. */
const LEFT_OUT = [
  /^backends\.1\.(in|out)putMicros$/,
  /^decisions\.1\.clauses\.0\.otherwise$/,
  /\.which$/,
  // Index of the rule that requires a task. This index has no meaning in a session that does not require a task.
  /\.taskRule$/,
  // `isStrong` is a copy of a value that the text states elsewhere. If a condition on a source is inside of another condition on sources,
  // its `text` is empty.
  /\.isStrong$/,
  /\.related\.0\.text$/,
  // A known gap: the text does not state which program serves a tool. Adding the name of the program would change all
  // texts in `golden/`.
  /^tools\.\d+\.pageProgram$/,
];

test("the text of the tables contains every value, except the listed fields", () => {
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

test("the text of a row without allowed tools names the rule that requires a task", () => {
  const closed = row("operator", [1], { requiresTask: true, taskRule: 1 });
  const text = renderTables(tables({ rows: [closed, row("operator", [2], { task: "pay" })] }));
  expect(text.match(/nothing runs outside of a task, by rule 1/g)).toHaveLength(1);
});
