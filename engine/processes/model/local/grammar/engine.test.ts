// Tests that the engine reads a grammar correctly: the tests in `grammar.test.ts` check the grammar as a value, but the
// engine reads it as text.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonRecord } from "../../../../lib/policy/index.ts";
import type { ToolDescriptor } from "../../../../lib/wire/generated/capos.ts";
import type { Addon } from "../addon.ts";
import { engineIn } from "../testing/engine-folder.ts";
import { buildAnswers, callOf } from "./answers.ts";
import { isWithin, makeChoice, renderGbnf } from "./expression.ts";
import { schema } from "./testing/schemas.ts";
import { createSentence, isSentence } from "./testing/sentences.ts";

let folder = "";
let engine: Addon;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-grammar-"));
  engine = await engineIn(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

const toolOf = (record: JsonRecord, name: string): ToolDescriptor => ({
  name,
  description: "",
  interfaceId: 0n,
  methodName: "",
  paramSchema: JSON.stringify(record),
  permission: "auto",
  category: "",
});

interface Change {
  readonly at: number;
  readonly removed: number;
  readonly put: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(120),
  removed: fc.nat(2),
  put: fc.constantFrom("", "a", "0", "9", "-", '"', "\\", "{", "}", "[", "]", ",", " ", ":", "é", "😀", "\n"),
});

test("the engine reads the largest grammars that a tool may have", () => {
  const some = <T>(count: number, one: (index: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, at) => one(at));
  const members = (count: number, member: JsonRecord): JsonRecord => ({
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(some(count, (index) => [`p${index}`, member])),
    required: [],
  });
  const large = [
    members(85, { type: "boolean" }),
    members(24, { type: "string", maxLength: 256 }),
    members(1, { type: "string", enum: some(2500, (index) => `option ${index}`) }),
    members(7, members(8, members(7, { type: "boolean" }))),
  ];
  for (const record of large) {
    const [call] = callOf(toolOf(record, "a"));
    if (call === undefined) throw new Error("the tool cannot be called");
    expect(isWithin(call, 80_000)).toBe(false);
    const read = new engine.AddonGrammar(renderGbnf(call), { addonExports: engine }) as {
      isTextCompatible: (text: string) => boolean;
    };
    expect(read.isTextCompatible('{"name": "a", "arguments": {}}')).toBe(true);
    expect(read.isTextCompatible('{"name": "a", "arguments": {"p": 1}}')).toBe(false);
  }
});

test("property: the engine accepts exactly what the grammar accepts", () => {
  const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
  const tools = fc.array(schema, { minLength: 1, maxLength: 3 });
  let refused = 0;
  fc.assert(
    fc.property(tools, chances, fc.array(change, { maxLength: 6 }), (records, chance, changes) => {
      const offered = records.map((record, index) => toolOf(record, `a.${index}`));
      const grammar = buildAnswers(offered);
      const read = new engine.AddonGrammar(renderGbnf(grammar), { addonExports: engine }) as {
        isTextCompatible: (text: string) => boolean;
      };
      // Only calls are changed: almost every change of a plain text would give another valid answer.
      const sentence = createSentence(makeChoice(...offered.flatMap(callOf)), () => chance.next().value ?? 0);
      const texts = changes.map(({ at, removed, put }) => {
        const points = [...sentence];
        return points.toSpliced(at % (points.length + 1), removed, put).join("");
      });
      for (const text of [sentence, ...texts]) {
        const isOne = isSentence(grammar, text);
        if (!isOne) refused += 1;
        expect([text, read.isTextCompatible(text)]).toEqual([text, isOne]);
      }
    }),
    { numRuns: 200 },
  );
  expect(refused).toBeGreaterThan(100);
});
