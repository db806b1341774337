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

const json = (form: "any" | "object" | "list") => ({ which: "json", json: { maxBytes: 131_072, form } });
const either = (...types: readonly unknown[]) => ({ which: "either", either: types });
const record = (...names: readonly string[]) => ({
  which: "record",
  record: names.map((name) => ({ name, type: { which: "boolean" }, required: true })),
});
const objectOf = (...names: readonly string[]): Json => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "boolean" }])),
  required: [...names],
});

test.each<readonly [string, Json, unknown]>([
  ["anything", true, json("any")],
  ["no type", {}, json("any")],
  ["a type of nobody", { type: "date" }, json("any")],
  ["a schema that is no object", "text", json("any")],
  ["an object of any members", { type: "object" }, json("object")],
  ["a map", { type: "object", additionalProperties: { type: "string" } }, json("object")],
  ["an object without named members", { type: "object", properties: {} }, json("object")],
  ["a list of anything", { type: "array" }, json("list")],
  ["a list of items without a type", { type: "array", items: {} }, json("list")],
  ["a list of maps", { type: "array", items: { type: "object" } }, { which: "list", list: json("object") }],
  ["a tuple", { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, json("list")],
  ["a tuple of old drafts", { type: "array", items: [{ type: "string" }] }, json("list")],
  ["choices with parts", { enum: [{ a: 1 }, "b"] }, json("any")],
  ["a reference that leads nowhere", { $ref: "#/$defs/none" }, json("any")],
  ["a reference to elsewhere", { $ref: "https://example.net/x" }, json("any")],
  ["a member whose name cannot be told", { type: "object", properties: { "\u0131": true } }, json("object")],
  ["more shapes than are checked", { anyOf: Array.from({ length: 33 }, () => ({ type: "string" })) }, json("any")],
])("%s is JSON that the provider checks", (_, schema, shape) => {
  expect(shapeOf(schema)).toEqual(shape);
});

test.each<readonly [string, Json, unknown]>([
  ["several types", { type: ["string", "number", "null"] }, either(text(131_072), { which: "number" })],
  [
    "bounds of one of several types",
    { type: ["integer", "boolean"], minimum: 3, maximum: 9 },
    either(integer(3n, 9n), { which: "boolean" }),
  ],
  [
    "a text or a list of texts",
    { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    either(text(131_072), { which: "list", list: text(131_072) }),
  ],
  ["one of several objects", { oneOf: [objectOf("a"), objectOf("b")] }, either(record("a"), record("b"))],
  [
    "objects with their type beside",
    { type: "object", anyOf: [objectOf("a"), objectOf("b")] },
    either(record("a"), record("b")),
  ],
  ["a shape that stands twice", { anyOf: [{ type: "boolean" }, { type: "boolean" }] }, { which: "boolean" }],
  ["choices apart", { anyOf: [{ const: "a" }, { enum: ["b", "a"] }] }, { which: "choice", choice: ["a", "b"] }],
  [
    "alternatives of alternatives",
    { anyOf: [{ oneOf: [{ type: "boolean" }, { type: "number" }] }, { type: "string" }] },
    either({ which: "boolean" }, { which: "number" }, text(131_072)),
  ],
  ["an alternative that takes nothing", { anyOf: [{ type: "boolean" }, false] }, { which: "boolean" }],
  [
    "mixed choices",
    { enum: ["a", 1, 3, true] },
    either({ which: "choice", choice: ["a"] }, integer(1n, 3n), { which: "boolean" }),
  ],
  ["fractions to choose from", { enum: [0.5, 1] }, { which: "number" }],
  ["any of anything and a text", { anyOf: [{ type: "string" }, {}] }, either(text(131_072), json("any"))],
])("%s is one of several shapes", (_, schema, shape) => {
  expect(shapeOf(schema)).toEqual(shape);
});

test.each<readonly [string, Json, unknown]>([
  ["members", { allOf: [objectOf("a"), objectOf("b")] }, record("a", "b")],
  ["members beside its own", { ...(objectOf("a") as object), allOf: [objectOf("b")] }, record("a", "b")],
  [
    "bounds",
    {
      allOf: [
        { type: "integer", minimum: 1 },
        { type: "number", minimum: 3, maximum: 9 },
      ],
    },
    integer(3n, 9n),
  ],
  ["choices", { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] }, { which: "choice", choice: ["b"] }],
  ["one member of both", { allOf: [objectOf("a"), { properties: { a: { const: true } } }] }, record("a")],
  ["what does not merge", { allOf: [{ type: "string" }, { type: "number" }] }, json("any")],
])("`allOf` of %s is merged", (_, schema, shape) => {
  expect(shapeOf(schema)).toEqual(shape);
});

test.each<readonly [string, Json, RegExp]>([
  ["an empty range", { type: "integer", minimum: 2, maximum: 1 }, /no number is at least 2 and at most 1/],
  ["no choice", { enum: [] }, /0 choices/],
  ["no value", false, /takes no value/],
  ["no alternative with a value", { anyOf: [false, { enum: [] }] }, /0 choices/],
  ["null alone", { anyOf: [{ type: "null" }] }, /null alone/],
  ["a choice that nobody sees", { enum: ["a\u202e"] }, /U\+202E/],
  ["words that nobody sees", { type: "string", description: "safe\u{e0041}" }, /its description holds U\+E0041/],
  [
    "words that nobody sees in a member of one of several shapes",
    { anyOf: [{ type: "string" }, { properties: { a: { type: "string", description: "safe\u{e0041}" } } }] },
    /U\+E0041/,
  ],
  [
    "words that nobody sees in a member of what is not looked into",
    { type: "object", additionalProperties: { description: "safe\u{e0041}" } },
    /U\+E0041/,
  ],
  ["choices of another type", { type: "integer", enum: ["a"] }, /not of its type/],
  ["whole numbers of a text", { type: "string", enum: [1] }, /not of its type/],
])("%s has none", (_, schema, reason) => {
  expect(shapeOf(schema)).toMatch(reason);
});

test("a required argument without a shape refuses the tool, and an optional one is left out", () => {
  const properties = { good: { type: "string" }, none: { enum: [] }, "na\u0131me": { type: "string" }, never: false };
  expect(readArguments({ properties })).toMatchObject({
    ok: true,
    value: {
      params: [{ name: "good" }],
      omitted: [
        { name: "none", reason: "it has 0 choices" },
        { name: "na\u0131me", reason: "its name is not visible ASCII of at most 64 characters" },
      ],
    },
  });
  expect(readArguments({ properties, required: ["none"] })).toMatchObject({
    ok: false,
    reason: '"none": it has 0 choices',
  });
});

test("a required argument without a description may be any value", () => {
  expect(readArguments({ properties: {}, required: ["a"] })).toMatchObject({
    value: { params: [{ name: "a", required: true, type: json("any") }], unheld: [{ path: "a", rules: ["json"] }] },
  });
  expect(readArguments({ properties: {}, required: [1] })).toEqual({ ok: false, reason: "1 is not described" });
});

test("words that are too long are cut, and say so", () => {
  const [doc] = [beyond({ type: "string", description: "\u{1f600}".repeat(2000) })].flat();
  expect(String(doc)).toMatch(/\u{1f600} … \(shortened\)$/u);
  expect(String(doc).length).toBeLessThanOrEqual(2048);
  expect(String(doc).isWellFormed()).toBe(true);
});

test("arguments of several objects are members of one, required where all require them", () => {
  const both: Json = { properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a", "b"] };
  expect(readArguments({ type: "object", oneOf: [objectOf("a"), both] })).toMatchObject({
    value: {
      params: [
        { name: "a", required: true, type: either({ which: "boolean" }, text(131_072)) },
        { name: "b", required: false, type: { which: "number" } },
      ],
      unheld: [{ path: "", rules: ["anyOf"] }],
    },
  });
});

test("an argument that says of itself that it is required is", () => {
  const properties = { x: { type: "string", required: true }, y: { type: "string", required: false } };
  expect(readArguments({ properties })).toMatchObject({ value: { params: [{ required: true }, { required: false }] } });
});

test("a list of arguments is an object", () => {
  expect(readArguments({ type: "array" })).toEqual({ ok: false, reason: "list is no schema of an object" });
});

test("references by any pointer are followed, and those that hold themselves to a bound", () => {
  const $defs = {
    day: { type: "string" },
    "a/b~c d": [{ type: "number" }],
    tree: { properties: { child: { $ref: "#/$defs/tree" } }, required: ["child"] },
    loop: { $ref: "#/$defs/loop" },
  };
  expect(shapeOf({ $ref: "#/$defs/day" }, { $defs })).toEqual(text(131_072));
  expect(shapeOf({ $ref: "#/$defs/a~1b~0c%20d/0" }, { $defs })).toEqual({ which: "number" });
  expect(
    shapeOf({ $ref: "#/properties/y" }, { properties: { x: { $ref: "#/properties/y" }, y: { type: "boolean" } } }),
  ).toEqual({ which: "boolean" });
  for (const ref of ["#/$defs/a~1b~0c%20d/1", "#/$defs/%", "#day", "/$defs/day", "#/constructor"])
    expect(shapeOf({ $ref: ref }, { $defs })).toEqual(json("any"));
  expect(shapeOf({ $ref: "#/$defs/loop" }, { $defs })).toEqual(json("any"));
  const child = (type: unknown) => ({ which: "record", record: [{ name: "child", type, required: true }] });
  expect(shapeOf({ $ref: "#/$defs/tree" }, { $defs })).toEqual(child(child(json("object"))));
});

test("few bytes that mean billions of types are not looked into, and neither is depth", () => {
  const doubling = Array.from({ length: 15 }, (_, level) => {
    const next = level === 14 ? { type: "string" } : { $ref: `#/$defs/d${level + 1}` };
    return [`d${level}`, { type: "object", properties: { a: next, b: next }, required: ["a", "b"] }] as const;
  });
  const doubled = JSON.stringify(shapeOf({ $ref: "#/$defs/d0" }, { $defs: Object.fromEntries(doubling) }));
  expect(doubled.match(/"which":/g)?.length).toBeLessThan(2048);
  const many = { anyOf: Array.from({ length: 32 }, () => ({ $ref: "#/$defs/m1" })) };
  const spread = Object.fromEntries(
    Array.from({ length: 9 }, (_, level) => [
      `m${level}`,
      {
        anyOf: Array.from({ length: 32 }, (__, at) => ({
          properties: { [`x${at}`]: { $ref: `#/$defs/m${level + 1}` } },
        })),
      },
    ]),
  );
  expect(shapeOf(many, { $defs: spread })).toEqual(json("any"));
  let deep: Json = { type: "string" };
  for (let level = 0; level < 20; level += 1) deep = { type: "array", items: deep };
  expect(JSON.stringify(shapeOf(deep)).match(/"list":/g)).toHaveLength(15);
});

/** Returns what a schema says about an optional argument beyond its shape: the text for the model, and the rules for whoever imports it. */
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
  ["any object", { type: "object" }, "", "x: json"],
  [
    "a map",
    { type: "object", description: "Labels.", additionalProperties: { type: "string" } },
    'Labels. (additionalProperties {"type":"string"})',
    "x: json",
  ],
  [
    "a tuple",
    { type: "array", prefixItems: [{ type: "string" }], maxItems: 2 },
    '(maxItems 2; prefixItems [{"type":"string"}])',
    "x: json",
  ],
  [
    "rules of one of several types",
    { type: ["string", "array"], items: { type: "boolean" }, pattern: "^a", maxItems: 2, default: "a" },
    '(if a text: pattern "^a"; if a list: maxItems 2; default "a")',
    "x: pattern,maxItems",
  ],
  [
    "members beside those that are described",
    { properties: { a: { type: "string" } }, additionalProperties: true },
    "",
    "x: additionalProperties",
  ],
  [
    "null within alternatives",
    { anyOf: [{ type: ["string", "null"] }, { type: "number" }] },
    "(leave it out instead of null)",
    "",
  ],
  ["a default alone", { type: "boolean", default: true }, "(default true)", ""],
])("%s is enforced, or told to the model and at import", (_, schema, doc, unheld) => {
  expect(beyond(schema)).toEqual([doc, unheld]);
});

test("rules behind a reference, beside it and about members are reported with their paths", () => {
  const $defs = { day: { type: "string", pattern: "^2" }, span: { properties: { from: { $ref: "#/$defs/day" } } } };
  expect(beyond({ $ref: "#/$defs/day", description: "A day.", maxLength: 10 }, { $defs })).toEqual([
    'A day. (pattern "^2"; maxLength 10)',
    "x: pattern,maxLength",
  ]);
  expect(beyond({ type: "array", items: { $ref: "#/$defs/span" } }, { $defs })).toEqual(["", "x[].from: pattern"]);
});

test("null for what is required is reported at import: nothing can stand for it", () => {
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

test("a rule about all arguments together is reported, one about an argument that is left out is not", () => {
  const properties = { a: { type: "string" }, b: { type: "string", pattern: "^b", enum: [] } };
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

test("limits without a shape are told to the model in words", () => {
  const schema = { type: "string", description: "A day.", format: "date", minLength: 2, maxLength: 10 };
  const converted = readArguments({ properties: { day: schema } });
  expect(converted).toMatchObject({
    value: { params: [{ doc: 'A day. (format "date"; minLength 2; maxLength 10)' }] },
  });
});
