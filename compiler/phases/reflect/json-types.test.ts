import { expect, test } from "vitest";
import type { Json } from "../../../engine/lib/policy/index.ts";
import { readArguments } from "./json-types.ts";
import { removeWords } from "./shapes.ts";

/** The shape of one required argument, or why it has none. */
function shapeOf(schema: Json, more: Record<string, Json> = {}): unknown {
  const converted = readArguments({ type: "object", properties: { x: schema }, required: ["x"], ...more });
  return converted.ok ? removeWords(converted.value.params)[0]?.type : converted.reason;
}

const text = (maxBytes: number) => ({ which: "text", text: { maxBytes } });
const integer = (low: bigint, high: bigint) => ({ which: "integer", integer: { low, high } });
const SAFE = 9_007_199_254_740_991n;

test.each<readonly [string, Json, unknown]>([
  ["text", { type: "string" }, text(131_072)],
  ["text of few characters, each of four bytes at most", { type: "string", maxLength: 10 }, text(40)],
  ["a rule that no shape has", { type: "string", pattern: "^a", format: "date" }, text(131_072)],
  ["true or false", { type: "boolean" }, { which: "boolean" }],
  ["a number", { type: "number", minimum: 1 }, { which: "number" }],
  ["an integer", { type: "integer" }, integer(-SAFE, SAFE)],
  ["an integer between two", { type: "integer", minimum: 1, maximum: 9 }, integer(1n, 9n)],
  ["an integer strictly between two", { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 9.5 }, integer(2n, 9n)],
  [
    "an integer strictly between two, as old drafts say it",
    { type: "integer", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    integer(2n, 8n),
  ],
  ["an integer beyond what JSON holds exactly", { type: "integer", maximum: 1e300 }, integer(-SAFE, SAFE)],
  ["choices", { enum: ["a", "b", "a"] }, { which: "choice", choice: ["a", "b"] }],
  ["one text", { const: "a" }, { which: "choice", choice: ["a"] }],
  ["whole numbers to choose from", { enum: [3, 1] }, integer(1n, 3n)],
  ["a text or null", { type: ["string", "null"] }, text(131_072)],
  ["any of a shape and null", { anyOf: [{ type: "boolean" }, { type: "null" }] }, { which: "boolean" }],
  [
    "a shape with rules beside it",
    { type: "boolean", anyOf: [{ const: true }, { const: false }] },
    { which: "boolean" },
  ],
  ["a list", { type: "array", items: { type: "boolean" } }, { which: "list", list: { which: "boolean" } }],
  [
    "an object",
    { properties: { a: { type: "boolean" }, b: { type: "number" } }, required: ["a"] },
    {
      which: "record",
      record: [
        { name: "a", type: { which: "boolean" }, required: true },
        { name: "b", type: { which: "number" }, required: false },
      ],
    },
  ],
])("%s has a shape", (_, schema, shape) => {
  expect(shapeOf(schema)).toEqual(shape);
});

test.each<readonly [string, Json, RegExp]>([
  ["anything", true, /any value is taken/],
  ["no type", {}, /it has no type/],
  ["several types", { type: ["string", "number"] }, /has no shape here/],
  ["a type of nobody", { type: "date" }, /has no shape here/],
  ["several shapes", { oneOf: [{ type: "string" }, { type: "number" }] }, /several shapes/],
  ["an object of any members", { type: "object" }, /an object of any members/],
  ["a list of anything", { type: "array" }, /its items: any value is taken/],
  ["an empty range", { type: "integer", minimum: 2, maximum: 1 }, /no number is at least 2 and at most 1/],
  ["mixed choices", { enum: ["a", 1] }, /neither all texts nor all whole numbers/],
  ["no choice", { enum: [] }, /0 choices/],
  ["a choice that nobody sees", { enum: ["a\u202e"] }, /U\+202E/],
  ["a reference that leads nowhere", { $ref: "#/$defs/none" }, /leads nowhere/],
  ["a reference to elsewhere", { $ref: "https://example.net/x" }, /leads nowhere/],
  ["words that nobody sees", { type: "string", description: "safe\u{e0041}" }, /its description holds U\+E0041/],
  ["endless words", { type: "string", description: "a".repeat(3000) }, /longer than 2048/],
  ["choices of another type", { type: "integer", enum: ["a"] }, /not of its type/],
  ["whole numbers of a text", { type: "string", enum: [1] }, /not of its type/],
  ["a list of names that is none", { properties: {}, required: "a" }, /`required` that is no list of names/],
  ["half a record", { properties: { a: true } }, /its member "a" has no shape/],
])("%s has none", (_, schema, reason) => {
  expect(shapeOf(schema)).toMatch(reason);
});

test("what a required argument has no shape for refuses the tool, an optional one is left out", () => {
  const properties = { good: { type: "string" }, any: true, "na\u0131me": { type: "string" } };
  expect(readArguments({ properties })).toMatchObject({
    ok: true,
    value: {
      omitted: [
        { name: "any", reason: "any value is taken, which nothing can check" },
        { name: "na\u0131me", reason: "its name is not visible ASCII of at most 64 characters" },
      ],
    },
  });
  expect(readArguments({ properties, required: ["any"] })).toMatchObject({ ok: false });
  expect(readArguments({ properties, required: ["none"] })).toEqual({ ok: false, reason: '"none" is not described' });
});

test("of an argument that is left out the innermost reason is told, once", () => {
  let deep: Json = { type: "string" };
  for (let level = 0; level < 20; level += 1) deep = { type: "object", properties: { a: deep } };
  expect(readArguments({ properties: { x: deep } })).toMatchObject({
    value: { omitted: [{ reason: 'its member "a" has no shape: it is nested more than 16 deep' }] },
  });
});

test("an argument that says of itself that it is required is", () => {
  const properties = { x: { type: "string", required: true }, y: { type: "string", required: false } };
  expect(readArguments({ properties })).toMatchObject({ value: { params: [{ required: true }, { required: false }] } });
});

test("a list of arguments is an object", () => {
  expect(readArguments({ type: "array" })).toEqual({ ok: false, reason: "list is no schema of an object" });
});

test("references are followed, and those that hold themselves are refused", () => {
  const $defs = {
    day: { type: "string" },
    tree: { properties: { child: { $ref: "#/$defs/tree" } }, required: ["child"] },
  };
  expect(shapeOf({ $ref: "#/$defs/day" }, { $defs })).toEqual(text(131_072));
  expect(shapeOf({ $ref: "#/$defs/tree" }, { $defs })).toMatch(/"tree" holds itself/);
});

test("few bytes that mean billions of types are refused, and so is depth", () => {
  const doubling = Array.from({ length: 15 }, (_, level) => {
    const next = level === 14 ? { type: "string" } : { $ref: `#/$defs/d${level + 1}` };
    return [`d${level}`, { type: "object", properties: { a: next, b: next }, required: ["a", "b"] }] as const;
  });
  expect(shapeOf({ $ref: "#/$defs/d0" }, { $defs: Object.fromEntries(doubling) })).toMatch(/more than 2048 types|deep/);
  let deep: Json = { type: "string" };
  for (let level = 0; level < 20; level += 1) deep = { type: "array", items: deep };
  expect(shapeOf(deep)).toMatch(/nested more than 16 deep/);
});

/** What a schema says of an optional argument beyond its shape: to the model, and to whoever imports it. */
function beyond(schema: Json, more: Record<string, Json> = {}): unknown {
  const converted = readArguments({ type: "object", properties: { x: schema }, ...more });
  if (!converted.ok) return converted.reason;
  const { params, unheld } = converted.value;
  return [params[0]?.doc, unheld.map(({ path, rules }) => `${path}: ${rules.join()}`).join("; ")];
}

test.each<readonly [string, Json, string, string]>([
  ["pattern", { type: "string", pattern: "^a" }, '(pattern "^a")', "x: pattern"],
  ["maxLength", { type: "string", maxLength: 3 }, "(maxLength 3)", "x: maxLength"],
  ["maxItems", { type: "array", items: { type: "boolean" }, maxItems: 3 }, "(maxItems 3)", "x: maxItems"],
  [
    "uniqueItems",
    { type: "array", items: { type: "boolean" }, uniqueItems: true },
    "(uniqueItems true)",
    "x: uniqueItems",
  ],
  ["uniqueItems that need not be", { type: "array", items: { type: "boolean" }, uniqueItems: false }, "", ""],
  ["multipleOf", { type: "integer", multipleOf: 5 }, "(multipleOf 5)", "x: multipleOf"],
  ["exclusiveMinimum", { type: "number", exclusiveMinimum: 0 }, "(exclusiveMinimum 0)", "x: exclusiveMinimum"],
  ["exclusiveMinimum of what has ranges", { type: "integer", exclusiveMinimum: 0, maximum: 9 }, "", ""],
  ["divisibleBy", { type: "integer", divisibleBy: 5 }, "(divisibleBy 5)", "x: divisibleBy"],
  ["disallow", { type: "boolean", disallow: "x" }, '(disallow "x")', "x: disallow"],
  ["extends", { type: "string", extends: { maxLength: 2 } }, '(extends {"maxLength":2})', "x: extends"],
  [
    "dependencies",
    { properties: { a: { type: "string" } }, dependencies: { a: ["b"] } },
    '(dependencies {"a":["b"]})',
    "x: dependencies",
  ],
  ["a bound that is no number", { type: "integer", minimum: "3" }, '(minimum "3")', "x: minimum"],
  ["a length of choices", { enum: ["a", "bb"], maxLength: 1 }, "(maxLength 1)", "x: maxLength"],
  ["null as OpenAPI says it", { type: "string", nullable: true }, "(leave it out instead of null)", ""],
  ["not", { type: "string", not: { const: "a" } }, '(not {"const":"a"})', "x: not"],
  ["alternatives beside a type", { type: "boolean", anyOf: [{ const: true }] }, '(anyOf [{"const":true}])', "x: anyOf"],
  ["whole numbers with gaps", { enum: [1, 2, 9] }, "(one of [1,2,9])", "x: enum"],
  ["whole numbers without gaps", { enum: [3, 1, 2] }, "", ""],
  [
    "a rule about items",
    { type: "array", items: { type: "string", pattern: "^a" } },
    '(each item: pattern "^a")',
    "x[]: pattern",
  ],
  [
    "a rule within alternatives",
    { anyOf: [{ type: "string", minLength: 2 }, { type: "null" }], default: "ab" },
    '(minLength 2; default "ab"; leave it out instead of null)',
    "x: minLength",
  ],
  ["null of no default", { type: ["string", "null"], default: null }, "(leave it out instead of null)", ""],
  ["null among choices", { enum: ["a", null] }, "(leave it out instead of null)", ""],
  ["a default alone", { type: "boolean", default: true }, "(default true)", ""],
])("%s is enforced, or told to the model and at import", (_, schema, doc, unheld) => {
  expect(beyond(schema)).toEqual([doc, unheld]);
});

test("rules behind a reference, beside it and about members are told with their paths", () => {
  const $defs = { day: { type: "string", pattern: "^2" }, span: { properties: { from: { $ref: "#/$defs/day" } } } };
  expect(beyond({ $ref: "#/$defs/day", description: "A day.", maxLength: 10 }, { $defs })).toEqual([
    'A day. (pattern "^2"; maxLength 10)',
    "x: pattern,maxLength",
  ]);
  expect(beyond({ type: "array", items: { $ref: "#/$defs/span" } }, { $defs })).toEqual(["", "x[].from: pattern"]);
});

test("null for what is required is told at import: nothing can stand for it", () => {
  const properties = { x: { type: ["string", "null"] }, list: { type: "array", items: { type: ["string", "null"] } } };
  expect(readArguments({ properties, required: ["x"] })).toMatchObject({
    ok: true,
    value: {
      params: [{ doc: "" }, { doc: "" }],
      unheld: [
        { path: "x", rules: ["null"] },
        { path: "list[]", rules: ["null"] },
      ],
    },
  });
});

test("a rule about all arguments together is told, one about an argument that is left out is not", () => {
  const properties = { a: { type: "string" }, b: { type: ["string", "number"], pattern: "^b" } };
  const converted = readArguments({
    type: "object",
    properties,
    oneOf: [{ required: ["a"] }],
    not: { required: ["b"] },
  });
  expect(converted).toMatchObject({
    ok: true,
    value: {
      omitted: [{ name: "b" }],
      together: '(arguments: not {"required":["b"]}; oneOf [{"required":["a"]}])',
      unheld: [{ path: "", rules: ["not", "oneOf"] }],
    },
  });
});

test("a rule is told to the model in part where it is long", () => {
  const [doc] = [beyond({ type: "string", pattern: "a".repeat(1000) })].flat();
  expect(doc).toBe(`(pattern "${"a".repeat(199)}…)`);
});

test("what no shape holds is said to the model in words", () => {
  const schema = { type: "string", description: "A day.", format: "date", minLength: 2, maxLength: 10 };
  const converted = readArguments({ properties: { day: schema } });
  expect(converted).toMatchObject({
    value: { params: [{ doc: 'A day. (format "date"; minLength 2; maxLength 10)' }] },
  });
});
