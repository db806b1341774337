// Tests unusual names and texts. Names of arguments may contain any printable character, and literals any text. The
// real engines must treat both as the gate does.

import { expect, test } from "vitest";
import { beginIn } from "../../../engine/lib/policy/index.ts";
import { check, indexed, tool, where } from "../../../engine/lib/policy/testing/sample.ts";
import type { Condition, Param } from "../../../engine/lib/wire/generated/policy.ts";
import { pageAnswer } from "./testing/answers.ts";
import { cedarEngine } from "./testing/cedar-engine.ts";
import { opaEngine } from "./testing/opa-engine.ts";
import { questionOf } from "./testing/questions.ts";

const WORDS = ["in", "like", "has", "if", "true", "is", "then", "permit", "context", "type", "id", "default", "some"];
const OWN = [
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "prototype",
  "__entity",
  "__extn",
  "__cedar",
  "__expr",
];
const SIGNS = [
  '"',
  "\\",
  "a.b",
  "*",
  "$x",
  "'",
  "{",
  "]",
  "//x",
  "\\u{41}",
  "0",
  "a-b",
  "@id",
  "__cedar::x",
  "/",
  "~1",
  "&&",
];

/**
 * Returns a page with a tool that may run if the argument with the name `name` is exactly `text`. The argument may be
 * in a record.
 */
function page(name: string, text: string, isRequired: boolean, record?: string) {
  const own: Param = { name, type: { which: "text", text: { maxBytes: 64 } }, required: isRequired };
  const held: Param[] =
    record === undefined ? [own] : [{ name: record, type: { which: "record", record: [own] }, required: false }];
  const path = record === undefined ? [name] : [record, name];
  const condition: Condition = { ...check(name, "equal", text), path };
  return indexed({
    tools: [tool("notes.read", { params: held })],
    decisions: [{ clauses: [where([condition], "auto", "stepUp")], floors: [] }],
  });
}

test.each([...WORDS, ...OWN, ...SIGNS])(
  "Cedar and Rego decide about an argument called %s as the gate does",
  (name) => {
    const text = `${name}"\\*é😀`;
    for (const [isRequired, record] of [
      [true, undefined],
      [false, "in"],
    ] as const) {
      const tables = page(name, text, isRequired, record);
      const [cedar, opa] = [cedarEngine(tables), opaEngine(tables)];
      expect(cedar.faults).toEqual([]);
      const given = [text, "other", undefined].map((value) => (value === undefined ? {} : { [name]: value }));
      const answers = given.flatMap((own) => {
        const call = { tool: "notes.read", arguments: JSON.stringify(record === undefined ? own : { [record]: own }) };
        const question = questionOf(tables, beginIn(tables.rows[0] ?? expect.fail("no row"), 0), call);
        if (question === undefined) return [];
        const answer = pageAnswer(tables, question.conversation, question);
        expect([cedar.ask(question), opa.ask(question)]).toEqual([answer, answer]);
        return [answer];
      });
      expect(answers.slice(0, 2)).toEqual(["auto", "stepUp"]);
    }
  },
);
