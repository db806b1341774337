// Tests the cost of rendering a grammar, counted in reads of its parts: a request waits for the rendering, and cannot stop it.

import { expect, test } from "vitest";
import { readToolList } from "../../../../../compiler/phases/reflect/mcp.ts";
import type { JsonRecord } from "../../../../lib/policy/index.ts";
import type { ToolDescriptor } from "../../../../lib/wire/generated/capos.ts";
import { callOf } from "./answers.ts";
import { buildArguments } from "./arguments.ts";
import {
  type Expression,
  isWithin,
  makeChoice,
  makeRepeated,
  makeSequence,
  makeWords,
  renderGbnf,
} from "./expression.ts";

/**
 * Wraps an expression. `looks` returns how often code has read the field `kind` of any part of the wrapped expression.
 */
function watched(root: Expression): { readonly expression: Expression; readonly looks: () => number } {
  const seen = new Map<unknown, unknown>();
  let looks = 0;
  const around = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    const proxy = new Proxy(value, {
      get: (target, key) => {
        if (key === "kind") looks += 1;
        return around(Reflect.get(target, key));
      },
    });
    seen.set(value, proxy);
    return proxy;
  };
  return { expression: around(root) as Expression, looks: () => looks };
}

function partsOf(root: Expression, seen = new Set<Expression>()): number {
  if (seen.has(root)) return seen.size;
  seen.add(root);
  if (root.kind === "repeated") partsOf(root.part, seen);
  if (root.kind === "sequence" || root.kind === "choice") for (const part of root.parts) partsOf(part, seen);
  return seen.size;
}

/** Returns nested records with this many members each, all of them optional. */
function nested(members: number, depth: number): JsonRecord {
  const inner = depth === 1 ? { type: "boolean" } : nested(members, depth - 1);
  const others = Array.from({ length: members - 1 }, (_, index) => [`a${index}`, { type: "boolean" }]);
  const properties = Object.fromEntries([...others, ["z", inner]]);
  return { type: "object", additionalProperties: false, properties, required: [] };
}

const NOTHING_MORE = makeRepeated(makeChoice(makeWords("")), 0, 1);

const tool = (paramSchema: string): ToolDescriptor => ({
  name: "a",
  description: "",
  interfaceId: 0n,
  methodName: "",
  paramSchema,
  permission: "auto",
  category: "",
});

test.for([
  [6, 3],
  [6, 5],
  [8, 7],
] as const)("writes each part of a grammar once: %i optional members, %i deep", ([members, depth]) => {
  const grammar = buildArguments(nested(members, depth));
  if (grammar === undefined) throw new Error("no grammar");
  const { expression, looks } = watched(grammar);
  const text = renderGbnf(expression);
  expect(looks()).toBeLessThan(4 * partsOf(grammar));
  expect(partsOf(grammar)).toBeLessThan(40 * members * depth);
  expect(text.length).toBeLessThan(128 * 1024);
});

test("a tool list of an unknown server gets a grammar, at any depth of its records", () => {
  const inputSchema = JSON.parse(JSON.stringify(nested(6, 7)).replaceAll('"additionalProperties":false,', ""));
  const read = readToolList("x.json", JSON.stringify({ tools: [{ name: "t", inputSchema }] }));
  const method = read.ok ? read.value.tools[0]?.method : undefined;
  if (method?.callable !== true) throw new Error("the tool has no schema");
  const [call] = callOf(tool(method.paramSchema));
  if (call === undefined) throw new Error("the tool cannot be called");
  const { expression, looks } = watched(call);
  renderGbnf(expression);
  expect(looks()).toBeLessThan(4 * partsOf(call));
});

test("the size of a grammar counts its text, and its repetitions as the engine unrolls them", () => {
  const digit = makeWords("7");
  const many = makeRepeated(makeSequence(digit, digit), 0, 10);
  const sizes: readonly (readonly [Expression, number])[] = [
    [digit, '"7"'.length],
    [makeChoice(digit, digit), '("7" | "7")'.length],
    [makeRepeated(digit, 0, 20), '"7"{0,20}'.length + 20 * 8],
    [makeRepeated(digit, 2), '"7"{2,}'.length + 3 * 8],
    // A rule is written once, and other rules refer to it by its name.
    [many, 'part-0{0,10}("7" "7")'.length + 10 * 8],
    [makeSequence(many, many), '(part-0{0,10} part-0{0,10})("7" "7")'.length + 20 * 8],
    [makeRepeated(makeChoice(many, digit), 1, 2), 'part-1{1,2}(part-0{0,10} | "7")("7" "7")'.length + 12 * 8],
  ];
  for (const [expression, size] of sizes) {
    expect([renderGbnf(expression), isWithin(expression, size)]).toEqual([renderGbnf(expression), true]);
    expect([renderGbnf(expression), isWithin(expression, size - 1)]).toEqual([renderGbnf(expression), false]);
  }
});

test("stops measuring a grammar that is too large", () => {
  const parts = Array.from({ length: 1000 }, (_, index) =>
    makeRepeated(makeChoice(makeWords(`a${index}`), makeWords("b")), 0, 8),
  );
  const { expression, looks } = watched(makeSequence(...parts));
  expect(isWithin(expression, 1000)).toBe(false);
  expect(looks()).toBeLessThan(parts.length);
});

test("a tool whose grammar is too large cannot be called", () => {
  const schemaOf = (properties: JsonRecord): string =>
    JSON.stringify({ type: "object", additionalProperties: false, properties, required: [] });
  const members = (count: number, member: JsonRecord): JsonRecord =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, member]));
  const options = (count: number): JsonRecord => ({
    type: "string",
    enum: Array.from({ length: count }, (_, index) => `option ${index}`),
  });
  const [text, whole] = [{ type: "string", maxLength: 256 }, { type: "boolean" }];
  for (const small of [{}, members(16, text), members(64, whole), { p: options(1000) }, { p: nested(8, 7) }])
    expect(callOf(tool(schemaOf(small)))).toHaveLength(1);
  for (const large of [members(40, text), members(128, whole), { p: options(5000) }])
    expect(callOf(tool(schemaOf(large)))).toEqual([]);
});

test("does not build a grammar for too many optional members", () => {
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: "boolean" }]));
  const grammarOf = (count: number, required: readonly string[]) =>
    buildArguments({ type: "object", additionalProperties: false, properties: properties(count), required });
  const smallest = makeChoice(
    ...Array.from({ length: 129 }, (_, index) => makeSequence(...Array(index).fill(NOTHING_MORE))),
  );
  expect(isWithin(smallest, 131_072)).toBe(false);
  expect([grammarOf(128, []), grammarOf(129, []), grammarOf(129, ["p0"])].map((each) => each !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
});
