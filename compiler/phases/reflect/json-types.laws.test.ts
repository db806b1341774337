import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkRecord, isRecord, type Json, readJson } from "../../../engine/lib/policy/index.ts";
import { renderSchema } from "./json-schema.ts";
import { readArguments } from "./json-types.ts";
import { removeWords } from "./shapes.ts";

const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });

const word = fc.constantFrom("a", "b", "cc", "");
const scalar: fc.Arbitrary<Json> = fc.oneof(
  word,
  fc.integer({ min: -2, max: 9 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant(0.5),
);
const { schema } = fc.letrec<{ schema: Json; object: Json }>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
      required: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
      closed: fc.constantFrom(false, true, undefined, { type: "string" }),
    })
    .map(({ properties, required, closed }) => ({
      type: "object",
      properties,
      required,
      ...(closed !== undefined && { additionalProperties: closed }),
    })),
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(true, {}, false, { type: "object" }, { type: "array" }, { type: "null" }),
    fc.record({ type: fc.constantFrom("string", "boolean", "number") }) as fc.Arbitrary<Json>,
    fc
      .record({ minimum: fc.integer({ min: -2, max: 4 }), maximum: fc.integer({ min: 3, max: 9 }) })
      .map((bounds) => ({ type: "integer", ...bounds })),
    fc.subarray(["string", "integer", "boolean", "null", "array"], { minLength: 1 }).map((type) => ({ type })),
    fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }) as fc.Arbitrary<Json>,
    scalar.map((value) => ({ const: value })),
    tie("schema").map((items) => ({ type: "array", items })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((prefixItems) => ({ type: "array", prefixItems })),
    tie("schema").map((more) => ({ type: "object", additionalProperties: more })),
    tie("object"),
    fc
      .tuple(fc.constantFrom("anyOf", "oneOf", "allOf"), fc.array(tie("schema"), { minLength: 1, maxLength: 3 }))
      .map(([name, list]) => ({ [name]: list })),
    fc
      .tuple(fc.constantFrom("anyOf", "oneOf", "allOf"), fc.array(tie("object"), { minLength: 1, maxLength: 3 }))
      .map(([name, list]) => ({ type: "object", [name]: list })),
    fc.constantFrom<Json>({ $ref: "#/$defs/tree" }, { $ref: "#/properties/x" }, { $ref: "#/$defs/none" }),
  ) as fc.Arbitrary<Json>,
}));
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 2 }),
  ) as fc.Arbitrary<Json>,
}));

const $defs = { tree: { type: "object", properties: { a: { $ref: "#/$defs/tree" }, b: { type: "string" } } } };
/** Reported rules for which the gate accepts less than the schema; for all other rules it accepts more. */
const STRICTER = ["null", "additionalProperties"];

test("property: a value that the gate accepts is valid in the schema too, unless the import reported a rule as unchecked", () => {
  let told = 0;
  let exact = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 8, maxLength: 8 }), (one, values) => {
      const whole = { type: "object", properties: { x: one, y: { type: "string" } }, $defs };
      const read = readArguments(whole);
      if (!read.ok) return;
      const params = removeWords(read.value.params);
      const offered = ajv.compile(JSON.parse(renderSchema(read.value.params)));
      const isHeld = read.value.unheld.every(({ rules }) => rules.every((rule) => STRICTER.includes(rule)));
      const listed = isHeld && !JSON.stringify(one).includes("#/$defs/none") ? ajv.compile(whole) : undefined;
      for (const x of values) {
        const args = readJson(JSON.stringify({ x }));
        if (!args.ok || !isRecord(args.value) || checkRecord(params, args.value) !== undefined) continue;
        told += 1;
        expect(offered({ x }), "what the model is offered").toBe(true);
        if (listed === undefined) continue;
        exact += 1;
        expect(listed({ x }), "what the server's list says").toBe(true);
      }
    }),
    { numRuns: 500 },
  );
  expect(told).toBeGreaterThan(300);
  expect(exact).toBeGreaterThan(20);
});
