import { expect, test } from "vitest";
import type { Json } from "../../../engine/lib/policy/index.ts";
import { readArguments } from "./json-types.ts";
import { removeWords } from "./shapes.ts";

/** Returns the type of one required argument, or the reason for which the import refuses it. */
function shapeOf(schema: Json, more: Record<string, Json> = {}): unknown {
  const converted = readArguments({ type: "object", properties: { x: schema }, required: ["x"], ...more });
  return converted.ok ? removeWords(converted.value.params)[0]?.type : converted.reason;
}

const text = (maxBytes: number) => ({ which: "text", text: { maxBytes } });
const integer = (low: bigint, high: bigint) => ({ which: "integer", integer: { low, high } });
const SAFE = 9_007_199_254_740_991n;

test.each<readonly [string, Json, unknown]>([
  ["text", { type: "string" }, text(131_072)],
  ["a text with a maximum of characters, each of up to four bytes", { type: "string", maxLength: 10 }, text(40)],
  ["a text with rules that a type cannot express", { type: "string", pattern: "^a", format: "date" }, text(131_072)],
  ["a boolean", { type: "boolean" }, { which: "boolean" }],
  ["a number", { type: "number", minimum: 1 }, { which: "number" }],
  ["an integer", { type: "integer" }, integer(-SAFE, SAFE)],
  ["an integer with inclusive bounds", { type: "integer", minimum: 1, maximum: 9 }, integer(1n, 9n)],
  [
    "an integer with exclusive bounds",
    { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 9.5 },
    integer(2n, 9n),
  ],
  [
    "an integer with the exclusive bounds of old drafts",
    { type: "integer", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    integer(2n, 8n),
  ],
  ["an integer with a bound beyond the exact range of JSON", { type: "integer", maximum: 1e300 }, integer(-SAFE, SAFE)],
  ["choices", { enum: ["a", "b", "a"] }, { which: "choice", choice: ["a", "b"] }],
  ["one text", { const: "a" }, { which: "choice", choice: ["a"] }],
  ["a list of integers", { enum: [3, 1] }, integer(1n, 3n)],
  ["a text or null", { type: ["string", "null"] }, text(131_072)],
  ["`anyOf` with a type and null", { anyOf: [{ type: "boolean" }, { type: "null" }] }, { which: "boolean" }],
  [
    "a type with rules beside it",
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
])("%s has a type that the gate checks", (_, schema, shape) => {
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
  ["an unknown type", { type: "date" }, json("any")],
  ["a schema that is not an object", "text", json("any")],
  ["an object without a description of members", { type: "object" }, json("object")],
  ["a map", { type: "object", additionalProperties: { type: "string" } }, json("object")],
  ["an object with an empty list of members", { type: "object", properties: {} }, json("object")],
  ["a list without items", { type: "array" }, json("list")],
  ["a list of items without a type", { type: "array", items: {} }, json("list")],
  ["a list of maps", { type: "array", items: { type: "object" } }, { which: "list", list: json("object") }],
  ["a tuple", { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, json("list")],
  ["a tuple in the form of old drafts", { type: "array", items: [{ type: "string" }] }, json("list")],
  ["choices with objects", { enum: [{ a: 1 }, "b"] }, json("any")],
  ["a reference to a missing definition", { $ref: "#/$defs/none" }, json("any")],
  ["a reference to another document", { $ref: "https://example.net/x" }, json("any")],
  ["a member with an unacceptable name", { type: "object", properties: { "\u0131": true } }, json("object")],
  ["more alternatives than the limit", { anyOf: Array.from({ length: 33 }, () => ({ type: "string" })) }, json("any")],
])("%s is unchecked JSON", (_, schema, shape) => {
  expect(shapeOf(schema)).toEqual(shape);
});

test.each<readonly [string, Json, unknown]>([
  ["several types", { type: ["string", "number", "null"] }, either(text(131_072), { which: "number" })],
  [
    "several types with bounds for one of them",
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
    "alternatives of objects with a type beside them",
    { type: "object", anyOf: [objectOf("a"), objectOf("b")] },
    either(record("a"), record("b")),
  ],
  ["alternatives with equal types", { anyOf: [{ type: "boolean" }, { type: "boolean" }] }, { which: "boolean" }],
  ["choices apart", { anyOf: [{ const: "a" }, { enum: ["b", "a"] }] }, { which: "choice", choice: ["a", "b"] }],
  [
    "nested alternatives",
    { anyOf: [{ oneOf: [{ type: "boolean" }, { type: "number" }] }, { type: "string" }] },
    either({ which: "boolean" }, { which: "number" }, text(131_072)),
  ],
  ["an alternative that accepts no value", { anyOf: [{ type: "boolean" }, false] }, { which: "boolean" }],
  [
    "mixed choices",
    { enum: ["a", 1, 3, true] },
    either({ which: "choice", choice: ["a"] }, integer(1n, 3n), { which: "boolean" }),
  ],
  ["a list of fractions", { enum: [0.5, 1] }, { which: "number" }],
  ["a list of numbers below zero", { enum: [-2, -1] }, { which: "number" }],
  ["a range below zero", { type: "integer", maximum: -7 }, json("any")],
  ["a range that ends at zero", { type: "integer", minimum: -7, maximum: 0 }, integer(-7n, 0n)],
  ["a text or anything", { anyOf: [{ type: "string" }, {}] }, either(text(131_072), json("any"))],
])("%s becomes a union of types, or a single type if that suffices", (_, schema, shape) => {
  expect(shapeOf(schema)).toEqual(shape);
});

test.each<readonly [string, Json, unknown]>([
  ["members", { allOf: [objectOf("a"), objectOf("b")] }, record("a", "b")],
  ["members and members beside it", { ...(objectOf("a") as object), allOf: [objectOf("b")] }, record("a", "b")],
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
  ["one member in both parts", { allOf: [objectOf("a"), { properties: { a: { const: true } } }] }, record("a")],
  ["types that cannot be merged", { allOf: [{ type: "string" }, { type: "number" }] }, json("any")],
])("`allOf` of %s is merged if possible", (_, schema, shape) => {
  expect(shapeOf(schema)).toEqual(shape);
});

test.each<readonly [string, Json, RegExp]>([
  ["an empty range", { type: "integer", minimum: 2, maximum: 1 }, /no number is at least 2 and at most 1/],
  ["no choice", { enum: [] }, /0 choices/],
  ["no value", false, /takes no value/],
  ["alternatives without a value", { anyOf: [false, { enum: [] }] }, /0 choices/],
  ["null alone", { anyOf: [{ type: "null" }] }, /null alone/],
  ["a choice with a hidden character", { enum: ["a\u202e"] }, /U\+202E/],
  [
    "a description with hidden characters",
    { type: "string", description: "safe\u{e0041}" },
    /its description holds U\+E0041/,
  ],
  [
    "hidden characters in a member of one of several types",
    { anyOf: [{ type: "string" }, { properties: { a: { type: "string", description: "safe\u{e0041}" } } }] },
    /U\+E0041/,
  ],
  [
    "hidden characters in a schema that is not read",
    { type: "object", additionalProperties: { description: "safe\u{e0041}" } },
    /U\+E0041/,
  ],
  ["choices of another type", { type: "integer", enum: ["a"] }, /not of its type/],
  ["integers for a text", { type: "string", enum: [1] }, /not of its type/],
])("a JSON schema with %s is refused", (_, schema, reason) => {
  expect(shapeOf(schema)).toMatch(reason);
});

test("a required argument without a type excludes the tool, and an optional argument without a type is left out", () => {
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

test("a required argument that the schema does not describe may have any value", () => {
  expect(readArguments({ properties: {}, required: ["a"] })).toMatchObject({
    value: { params: [{ name: "a", required: true, type: json("any") }], unheld: [{ path: "a", rules: ["json"] }] },
  });
  expect(readArguments({ properties: {}, required: [1] })).toEqual({ ok: false, reason: "1 is not described" });
});

test("a description that is too long is truncated and marked", () => {
  const [doc] = [beyond({ type: "string", description: "\u{1f600}".repeat(2000) })].flat();
  expect(String(doc)).toMatch(/\u{1f600} … \(shortened\)$/u);
  expect(String(doc).length).toBeLessThanOrEqual(2048);
  expect(String(doc).isWellFormed()).toBe(true);
});

test("alternatives of objects become one list of arguments, and an argument is required if all alternatives require it", () => {
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

test("an argument with `required: true` of its own is required", () => {
  const properties = { x: { type: "string", required: true }, y: { type: "string", required: false } };
  expect(readArguments({ properties })).toMatchObject({ value: { params: [{ required: true }, { required: false }] } });
});

test("the arguments of a tool must be an object", () => {
  expect(readArguments({ type: "array" })).toEqual({ ok: false, reason: "list is no schema of an object" });
});

test("references with any JSON pointer are followed, and recursive references are followed only up to a depth", () => {
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

test("schemas that expand to many types or are too deep are read up to a limit", () => {
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

/**
 * Returns the rules of an optional argument that its type does not enforce. The model gets the text, and the person who
 * imports it gets the keywords.
 */
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
  ["uniqueItems with the value false", { type: "array", items: { type: "boolean" }, uniqueItems: false }, "", ""],
  ["multipleOf", { type: "integer", multipleOf: 5 }, "(multipleOf 5)", "x: multipleOf"],
  ["exclusiveMinimum", { type: "number", exclusiveMinimum: 0 }, "(exclusiveMinimum 0)", "x: exclusiveMinimum"],
  ["exclusiveMinimum of an integer", { type: "integer", exclusiveMinimum: 0, maximum: 9 }, "", ""],
  ["divisibleBy", { type: "integer", divisibleBy: 5 }, "(divisibleBy 5)", "x: divisibleBy"],
  ["disallow", { type: "boolean", disallow: "x" }, '(disallow "x")', "x: disallow"],
  ["extends", { type: "string", extends: { maxLength: 2 } }, '(extends {"maxLength":2})', "x: extends"],
  [
    "dependencies",
    { properties: { a: { type: "string" } }, dependencies: { a: ["b"] } },
    '(dependencies {"a":["b"]})',
    "x: dependencies",
  ],
  ["a bound that is not a number", { type: "integer", minimum: "3" }, '(minimum "3")', "x: minimum"],
  ["a length for choices", { enum: ["a", "bb"], maxLength: 1 }, "(maxLength 1)", "x: maxLength"],
  ["null in the form of OpenAPI", { type: "string", nullable: true }, "(leave it out instead of null)", ""],
  ["not", { type: "string", not: { const: "a" } }, '(not {"const":"a"})', "x: not"],
  ["alternatives beside a type", { type: "boolean", anyOf: [{ const: true }] }, '(anyOf [{"const":true}])', "x: anyOf"],
  ["integers with gaps", { enum: [1, 2, 9] }, "(one of [1,2,9])", "x: enum"],
  ["integers without gaps", { enum: [3, 1, 2] }, "", ""],
  [
    "a rule for items",
    { type: "array", items: { type: "string", pattern: "^a" } },
    '(each item: pattern "^a")',
    "x[]: pattern",
  ],
  [
    "a rule in an alternative",
    { anyOf: [{ type: "string", minLength: 2 }, { type: "null" }], default: "ab" },
    '(minLength 2; default "ab"; leave it out instead of null)',
    "x: minLength",
  ],
  ["null as the default", { type: ["string", "null"], default: null }, "(leave it out instead of null)", ""],
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
    "rules for one of several types",
    { type: ["string", "array"], items: { type: "boolean" }, pattern: "^a", maxItems: 2, default: "a" },
    '(if a text: pattern "^a"; if a list: maxItems 2; default "a")',
    "x: pattern,maxItems",
  ],
  [
    "members beside the described ones",
    { properties: { a: { type: "string" } }, additionalProperties: true },
    "",
    "x: additionalProperties",
  ],
  [
    "null in an alternative",
    { anyOf: [{ type: ["string", "null"] }, { type: "number" }] },
    "(leave it out instead of null)",
    "",
  ],
  ["a default", { type: "boolean", default: true }, "(default true)", ""],
])("%s is enforced, or reported to the model and the importer", (_, schema, doc, unheld) => {
  expect(beyond(schema)).toEqual([doc, unheld]);
});

test("rules that the type does not enforce are reported with their paths, whether they are in a reference, beside it, or in a member of a record", () => {
  const $defs = { day: { type: "string", pattern: "^2" }, span: { properties: { from: { $ref: "#/$defs/day" } } } };
  expect(beyond({ $ref: "#/$defs/day", description: "A day.", maxLength: 10 }, { $defs })).toEqual([
    'A day. (pattern "^2"; maxLength 10)',
    "x: pattern,maxLength",
  ]);
  expect(beyond({ type: "array", items: { $ref: "#/$defs/span" } }, { $defs })).toEqual(["", "x[].from: pattern"]);
});

test("null in a required argument or in a list is reported to the importer, because it cannot be left out instead", () => {
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

test("a rule about all arguments is reported, and a rule about an omitted argument is not reported", () => {
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

test("a long rule is truncated in the text for the model", () => {
  const [doc] = [beyond({ type: "string", pattern: "a".repeat(1000) })].flat();
  expect(doc).toBe(`(pattern "${"a".repeat(199)}…)`);
});

test("rules that a type cannot express are added to the text for the model", () => {
  const schema = { type: "string", description: "A day.", format: "date", minLength: 2, maxLength: 10 };
  const converted = readArguments({ properties: { day: schema } });
  expect(converted).toMatchObject({
    value: { params: [{ doc: 'A day. (format "date"; minLength 2; maxLength 10)' }] },
  });
});
