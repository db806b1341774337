// Tests that Cedar's own engine decides exported policies as the gate does. If the export can express all conditions of
// a tool, the answers must be equal. Otherwise Cedar's answer must not be looser.

import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import { compileExample, listExampleNames } from "../../../dev/golden/golden.ts";
import { indexPolicyTables } from "../../../phases/policy/index.ts";
import { collectCells } from "../cells.ts";
import { isAtLeastAsStrict, pageAnswer, withoutBytes } from "../testing/answers.ts";
import { cedarEngine } from "../testing/cedar-engine.ts";
import { anyAsked, KINDS, kindsDrawn } from "../testing/kinds.ts";
import { everyQuestion, someQuestions } from "../testing/questions.ts";
import { convertToCedarCell } from "./cell.ts";

/** Returns the tools for which the export expresses all conditions exactly, each with its session or task. */
function wholly(tables: IndexedTables): ReadonlySet<string> {
  const cells = collectCells(tables).filter((cell) => convertToCedarCell(tables, cell).unspelled.length === 0);
  return new Set(cells.map(({ row, tool }) => `${tables.rows.indexOf(row)} ${tool.name}`));
}

const examples = new Map<string, IndexedTables>();
beforeAll(async () => {
  for (const name of listExampleNames()) examples.set(name, indexPolicyTables((await compileExample(name)).policy));
});

test.each(listExampleNames())("%s: the export is valid, and Cedar decides like the gate or more strictly", (name) => {
  const tables = examples.get(name);
  if (tables === undefined) throw new Error("not compiled");
  const { faults, ask } = cedarEngine(tables);
  expect(faults).toEqual([]);
  const whole = wholly(tables);
  let asked = 0;
  for (const question of everyQuestion(tables)) {
    const page = pageAnswer(tables, question.conversation, question);
    const cedar = ask(question);
    const isWhole = whole.has(`${question.conversation.row} ${question.tool}`);
    if (isWhole ? cedar !== page : !isAtLeastAsStrict(cedar, page ?? "refused"))
      expect({ question, cedar }).toEqual({ page });
    asked += 1;
  }
  expect(asked).toBeGreaterThan(0);
});

test("on random tables, Cedar decides like the gate where the export is exact, and is never looser elsewhere", () => {
  fc.assert(
    fc.property(anyAsked, ([{ tables: any, call, conversation }, first]) => {
      const { label, unattended } = conversation;
      const tables = withoutBytes(any);
      const { faults, ask } = cedarEngine(tables);
      expect(faults).toEqual([]);
      const whole = wholly(tables);
      for (const question of someQuestions(tables, { call, label, unattended }, first)) {
        const page = pageAnswer(tables, question.conversation, question) ?? "refused";
        const cedar = ask(question);
        const isWhole = whole.has(`${question.conversation.row} ${question.tool}`);
        if (isWhole ? cedar !== page : !isAtLeastAsStrict(cedar, page)) expect({ question, cedar }).toEqual({ page });
      }
    }),
    { numRuns: 250 },
  );
});

test("the random tables cover each decision, both where the export is exact and where it is not", () => {
  expect(kindsDrawn(wholly)).toEqual(KINDS);
});
