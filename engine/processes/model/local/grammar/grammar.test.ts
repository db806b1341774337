// Tests a grammar against its schema. The schema accepts every sentence of the grammar, and the grammar can spell every value that the
// schema accepts, with the members in the grammar's order.

import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readToolList } from "../../../../../compiler/phases/reflect/mcp.ts";
import { checkRecord, type JsonRecord } from "../../../../lib/policy/index.ts";
import type { ToolDescriptor } from "../../../../lib/wire/generated/capos.ts";
import type { Type } from "../../../../lib/wire/generated/policy.ts";
import { buildAnswers, callOf, buildGrammar as grammarOfTools } from "./answers.ts";
import { buildArguments } from "./arguments.ts";
import { type Expression, renderGbnf } from "./expression.ts";
import { buildIntegers } from "./integers.ts";
import { schema } from "./testing/schemas.ts";
import { createSentence, isSentence } from "./testing/sentences.ts";

function grammarOf(record: JsonRecord): Expression {
  const grammar = buildArguments(record);
  if (grammar === undefined) throw new Error(`no grammar of ${JSON.stringify(record)}`);
  return grammar;
}

// The texts in this test are short; the test about limits covers the lengths that the grammar does not check.
test("property: the schema accepts every sentence of its grammar", () => {
  const ajv = new Ajv2020({ strict: false });
  let said = 0;
  fc.assert(
    fc.property(
      schema,
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      (record, chance) => {
        const sentence = createSentence(grammarOf(record), () => chance.next().value ?? 0);
        const validate = ajv.compile(record);
        const isTaken = validate(JSON.parse(sentence));
        expect([sentence, isTaken, validate.errors]).toEqual([sentence, true, null]);
        said += 1;
      },
    ),
    { numRuns: 400 },
  );
  expect(said).toBe(400);
});

const isPlain = (point: number): boolean =>
  point >= 0x20 && point !== 0x7f && point !== 0xfffd && (point < 0xd800 || point > 0xdfff);

/** Returns a value that the schema accepts. The grammar does not allow all numbers, so only allowed numbers are generated. */
function takenBy(record: JsonRecord): fc.Arbitrary<unknown> {
  const options = record["enum"];
  if (Array.isArray(options)) return fc.constantFrom(...options);
  switch (record["type"]) {
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.integer({ min: -1_000_000, max: 1_000_000 }).map((whole) => whole / 1000);
    case "integer":
      return fc.maxSafeInteger().map((any) => {
        const [low, high] = [Number(record["minimum"]), Number(record["maximum"])];
        return Math.min(Math.max(any, low), high);
      });
    case "string": {
      const most = Number(record["maxLength"]);
      const characters = fc.oneof(
        { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: Math.min(most, 40) }) },
        fc.integer({ min: 0, max: Math.min(most, 600) }).map((length) => "y".repeat(length)),
      );
      // A single surrogate is not text, and control characters are written as numeric escapes, so neither is used here.
      return characters.map((text) => [...text].filter((one) => isPlain(one.codePointAt(0) ?? 0)).join(""));
    }
    case "array":
      return fc.oneof(
        { weight: 4, arbitrary: fc.array(takenBy(record["items"] as JsonRecord), { maxLength: 5 }) },
        fc.tuple(takenBy(record["items"] as JsonRecord), fc.nat(40)).map(([item, length]) => Array(length).fill(item)),
      );
    default: {
      const properties = Object.entries(record["properties"] as Readonly<Record<string, JsonRecord>>);
      const required = record["required"] as readonly string[];
      const ordered = [true, false].flatMap((is) => properties.filter(([key]) => required.includes(key) === is));
      const model = Object.fromEntries(ordered.map(([key, value]) => [key, takenBy(value)]));
      return fc
        .record(model, { requiredKeys: [...required] })
        .map((value) => ({ value, ordered }))
        .map(({ value, ordered: keys }) =>
          Object.fromEntries(keys.filter(([key]) => Object.hasOwn(value, key)).map(([key]) => [key, value[key]])),
        );
    }
  }
}

/** Renders a value with the blanks of the grammar. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${spaced(each)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}

test("property: the grammar spells every value that the schema accepts, in the grammar's order and spacing", () => {
  fc.assert(
    fc.property(
      schema.chain((record) => fc.tuple(fc.constant(record), takenBy(record))),
      ([record, value]) => {
        const text = spaced(value);
        expect([text, isSentence(grammarOf(record), text)]).toEqual([text, true]);
      },
    ),
    { numRuns: 300 },
  );
});

const x = (member: JsonRecord): JsonRecord => ({
  type: "object",
  additionalProperties: false,
  properties: { x: member },
  required: ["x"],
});

test("property: spells a text completely up to its limit, and refuses a longer text", () => {
  const limit = fc.oneof(fc.nat(20), fc.integer({ min: 240, max: 600 }));
  const beyond = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -600, max: 300 }));
  let refused = 0;
  fc.assert(
    fc.property(limit, beyond, (maxLength, more) => {
      const value = "y".repeat(Math.max(0, maxLength + more));
      const isSaid = isSentence(grammarOf(x({ type: "string", maxLength })), spaced({ x: value }));
      const type: Type = { which: "text", text: { maxBytes: maxLength } };
      const misfit = checkRecord([{ name: "x", type, required: true }], { x: value });
      const isTaken = value.length <= maxLength;
      expect([maxLength, value.length, isSaid]).toEqual([maxLength, value.length, isTaken || maxLength > 256]);
      if (!isSaid || isTaken || maxLength === 0) return;
      expect(misfit).toBe(`x is longer than ${maxLength} bytes`);
      refused += 1;
    }),
    { numRuns: 400 },
  );
  expect(refused).toBeGreaterThan(20);
});

test("property: spells a list of any length", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 0, maxLength: 60, size: "max" }), (items) => {
      const grammar = grammarOf(x({ type: "array", items: { type: "boolean" } }));
      expect([items.length, isSentence(grammar, spaced({ x: items }))]).toEqual([items.length, true]);
      expect(isSentence(grammar, spaced({ x: items }).replace("]", ", ]"))).toBe(false);
    }),
    { numRuns: 100 },
  );
});

test("can call a server's tool with a text of its maximum length and a list of any length", () => {
  const inputSchema = {
    type: "object",
    properties: { note: { type: "string", maxLength: 500 }, ids: { type: "array", items: { type: "boolean" } } },
    required: ["note", "ids"],
  };
  const read = readToolList("x.json", JSON.stringify({ tools: [{ name: "t", inputSchema }] }));
  const method = read.ok ? read.value.tools[0]?.method : undefined;
  if (method?.callable !== true) throw new Error("the tool has no schema");
  const [grammar] = callOf(tool("t", { paramSchema: method.paramSchema }));
  const called = spaced({ name: "t", arguments: { ids: Array(17).fill(true), note: "y".repeat(300) } });
  expect(grammar && isSentence(grammar, called)).toBe(true);
});

test("property: spells exactly the integers between two bounds", () => {
  const small = fc.integer({ min: -1200, max: 1200 });
  fc.assert(
    fc.property(small, small, fc.integer({ min: -1500, max: 1500 }), (one, other, asked) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const grammar = buildIntegers(BigInt(low), BigInt(high));
      if (grammar === undefined) throw new Error("there are some between");
      expect([low, high, asked, isSentence(grammar, `${asked}`)]).toEqual([
        low,
        high,
        asked,
        low <= asked && asked <= high,
      ]);
      for (const edge of [low, high]) expect(isSentence(grammar, `${edge}`)).toBe(true);
      expect(isSentence(grammar, `0${Math.abs(asked)}`)).toBe(false);
      expect(isSentence(grammar, "-0")).toBe(false);
    }),
    { numRuns: 300 },
  );
  expect(buildIntegers(5n, 4n)).toBeUndefined();
  expect(buildIntegers(2n ** 60n, 2n ** 61n)).toBeUndefined();
});

const tool = (called: string, more: Partial<ToolDescriptor> = {}): ToolDescriptor => ({
  name: called,
  description: "",
  interfaceId: 0n,
  methodName: "",
  paramSchema: '{"additionalProperties":false,"properties":{},"required":[],"type":"object"}',
  permission: "auto",
  category: "",
  ...more,
});
const call = (called: string): string => `{"name": "${called}", "arguments": {}}`;

test("an answer can always be text, and can be a call only of an offered tool", () => {
  const offered = buildAnswers([tool("notes.read"), tool("notes.list", { permission: "stepUp" })]);
  for (const yes of ["", "I need none.", " {", call("notes.read"), call("notes.list")])
    expect([yes, isSentence(offered, yes)]).toEqual([yes, true]);
  for (const no of ["{", "{}", call("notes.write"), call("notes.rea"), `${call("notes.read")}${call("notes.read")}`])
    expect([no, isSentence(offered, no)]).toEqual([no, false]);
});

test("property: every answer with a given beginning continues with the text that `forcedAfter` returns for it", () => {
  const member = (name: string) => ({ [name]: { type: "string", maxLength: 3 } });
  const schemaWith = (required: readonly string[]): string =>
    JSON.stringify({
      type: "object",
      additionalProperties: false,
      properties: { ...member("id"), ...member("path") },
      required,
    });
  const tools = [
    tool("notes.read", { paramSchema: schemaWith(["path"]) }),
    tool("notes.remove", { paramSchema: schemaWith(["id", "path"]) }),
    tool("notes.list"),
    tool("mail", { paramSchema: schemaWith([]) }),
  ];
  const { forcedAfter } = grammarOfTools(tools, []);
  const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
  fc.assert(
    fc.property(chances, fc.nat(60), (chance, length) => {
      const sentence = createSentence(buildAnswers(tools), () => chance.next().value ?? 0);
      const begun = sentence.slice(0, length);
      expect(sentence.startsWith(begun + forcedAfter(begun))).toBe(true);
    }),
    { numRuns: 300 },
  );
  expect(forcedAfter("{")).toBe('"name": "');
  expect(forcedAfter('{"name": "notes.re')).toBe("");
  // Only whole words and signs are forced, so `re` of `read` and `remove` is not. The last sign before a choice, such
  // as the quotation mark of a text, is not forced either.
  expect(forcedAfter('{"name": "notes')).toBe(".");
  expect(forcedAfter('{"name": "notes.rea')).toBe('d", "arguments": {"path":');
  expect(forcedAfter('{"name": "notes.l')).toBe('ist", "arguments":');
  for (const free of ["", "Hello", "{}", '{"name": "notes.read", "arguments": {"path": "a'])
    expect(forcedAfter(free)).toBe("");
});

test("a tool that is forbidden or has an unsupported schema cannot be called", () => {
  expect(callOf(tool("a", { permission: "forbidden" }))).toEqual([]);
  for (const paramSchema of ["", "[]", '{"type":"string"}', '{"type":"object","properties":{}}'])
    expect([paramSchema, callOf(tool("a", { paramSchema }))]).toEqual([paramSchema, []]);
  const odd = (member: object) =>
    JSON.stringify({ type: "object", additionalProperties: false, properties: { x: member }, required: [] });
  for (const member of [
    { type: "null" },
    { $ref: "#" },
    { type: "integer", minimum: 0.5 },
    { type: "string", enum: [] },
    { type: "string", maxLength: -1 },
    { type: "string", maxLength: 2.5 },
    { type: "string", maxLength: "3" },
    // A property that every object has, such as `constructor`, is not a type.
    { type: "constructor" },
    { type: "constructor", enum: ["a"] },
    { type: "constructor", minimum: 1 },
    { type: "toString", enum: ["a"] },
    { type: ["string"], enum: ["a"] },
    { type: "__proto__" },
    // A tool with an unknown keyword cannot be called, because the keyword could forbid what the grammar allows.
    { type: "string", minLength: 3 },
    { type: "string", pattern: "^a" },
    { type: "string", enum: ["a", "bc"], maxLength: 1 },
    { type: "integer", multipleOf: 2 },
    { type: "number", minimum: 0 },
    { type: "boolean", const: true },
    { type: "boolean", enum: ["True", "False"] },
    { type: "array", items: { type: "boolean" }, maxItems: 1 },
    { type: "object", additionalProperties: false, properties: {}, required: ["y"] },
    { type: "object", additionalProperties: false, properties: {}, minProperties: 1 },
  ])
    expect([member, callOf(tool("a", { paramSchema: odd(member) }))]).toEqual([member, []]);
  for (const more of [{ minProperties: 1 }, { required: ["x"] }]) {
    const paramSchema = JSON.stringify({ type: "object", additionalProperties: false, properties: {}, ...more });
    expect(callOf(tool("a", { paramSchema }))).toEqual([]);
  }
});

test("spells only the options that have the schema's type", () => {
  const chosen = (member: object): readonly string[] => {
    const grammar = buildArguments({
      type: "object",
      additionalProperties: false,
      properties: { x: { ...member } },
      required: ["x"],
    });
    const said = ['"1"', "1", "2", "3", "1.5", "true", "null"];
    return said.filter((each) => grammar !== undefined && isSentence(grammar, `{"x": ${each}}`));
  };
  const options = ["1", 1, 2, 1.5, true, null];
  expect(chosen({ type: "integer", enum: options })).toEqual(["1", "2"]);
  expect(chosen({ type: "number", enum: options })).toEqual(["1", "2", "1.5"]);
  expect(chosen({ type: "string", enum: options })).toEqual(['"1"']);
  expect(chosen({ type: "boolean", enum: options })).toEqual(["true"]);
});

test("text of a page or a schema cannot act as grammar syntax", () => {
  const [spoken] = callOf(tool('a" | "b\\\n::='));
  const written = renderGbnf(spoken ?? { kind: "words", text: "" });
  expect(written.match(/::=|\n/g)).toEqual(["::=", "\n"]);
  expect(written).not.toContain('" | "b');
  expect(renderGbnf({ kind: "words", text: '"\\]^' })).toBe(
    'root ::= "\\U00000022\\U0000005c\\U0000005d\\U0000005e"\n',
  );
});

test("spells a value as one of its alternatives, and a value without a schema up to a depth limit", () => {
  const spells = (member: JsonRecord, text: string) => isSentence(grammarOf(x(member)), `{"x": ${text}}`);
  const either = { anyOf: [{ type: "boolean" }, { type: "array", items: { type: "boolean" } }] };
  expect(["true", "[true, false]", "1", "[[true]]"].filter((text) => spells(either, text))).toEqual([
    "true",
    "[true, false]",
  ]);
  const values = ['"a"', "null", "-1.5", '{"a": [1]}', '[{"a": "b"}, []]'];
  expect(values.filter((text) => spells({}, text))).toEqual(values);
  expect(values.filter((text) => spells({ type: "object" }, text))).toEqual(['{"a": [1]}']);
  expect(values.filter((text) => spells({ type: "array" }, text))).toEqual(['[{"a": "b"}, []]']);
  expect(callOf(tool("a", { paramSchema: JSON.stringify(x({ anyOf: [{ type: "boolean" }, { not: {} }] })) }))).toEqual(
    [],
  );
  expect(callOf(tool("a", { paramSchema: JSON.stringify(x({})) }))).toHaveLength(1);
});
