import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "../../lib/policy/index.ts";
import { type AnswerSchema, readAnswerSchema } from "./answer-schema.ts";
import { buildArguments } from "./local/grammar/arguments.ts";
import { schema } from "./local/grammar/testing/schemas.ts";
import { createSentence } from "./local/grammar/testing/sentences.ts";

function schemaOf(json: object): AnswerSchema {
  const read = readAnswerSchema(JSON.stringify(json));
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

const refusalOf = (text: string): string => {
  const read = readAnswerSchema(text);
  return read.ok ? "" : read.reason;
};

const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});

test("property: agrees with a JSON Schema validator on every answer", () => {
  const ajv = new Ajv2020({ strict: false });
  // The reader of JSON refuses some numbers for any schema, so such values are left out.
  const value = fc.jsonValue({ maxDepth: 3 }).filter((any) => readJson(JSON.stringify(any)).ok);
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(
      schema,
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      value,
      fc.nat(),
      (record, chance, other, at) => {
        const grammar = buildArguments(record);
        if (grammar === undefined) throw new Error("no grammar of a schema");
        const sentence = createSentence(grammar, () => chance.next().value ?? 0);
        const fitting: Record<string, unknown> = JSON.parse(sentence);
        const names = [...Object.keys(fitting), "more"];
        const changed = { ...fitting, [names[at % names.length] ?? "more"]: other };
        const validate = ajv.compile(record);
        const one = schemaOf(record);
        for (const answer of [fitting, changed, other]) {
          const isTaken = validate(answer);
          expect([answer, one.check(JSON.stringify(answer)) === undefined]).toEqual([answer, isTaken]);
          if (isTaken) taken += 1;
          else refused += 1;
        }
      },
    ),
    { numRuns: 400 },
  );
  expect([taken > 300, refused > 300]).toEqual([true, true]);
});

test("refuses a schema with an unsupported keyword, and names where the keyword is", () => {
  expect(refusalOf("{")).toMatch(/^it is not JSON: /);
  for (const text of ["[]", "null", "{}", '{"type":"string"}', '{"anyOf":[{"type":"object"}]}'])
    expect([text, refusalOf(text)]).toEqual([text, 'its "type" is not "object"']);
  const refused = (member: unknown) => refusalOf(JSON.stringify(object({ x: member })));
  expect(refused({ type: "string", pattern: "(a+)+$" })).toBe('the answer.x: "pattern" is not supported');
  expect(refused({ $ref: "#" })).toBe('the answer.x: "$ref" is not supported');
  for (const type of ["any", "null", "constructor", ["string", "null"], 1])
    expect(refused({ type })).toBe('the answer.x: this "type" is not supported');
  expect(refused({ type: "object", properties: {} })).toBe('the answer.x: "additionalProperties" is not false');
  expect(refused({ ...object({}), required: ["y"] })).toBe('the answer.x: "required" is not a list of its properties');
  expect(refused({ ...object({}), required: ["toString"] })).toMatch(/"required"/);
  expect(refused({ type: "integer", minimum: 0.5 })).toBe(
    'the answer.x: "minimum" and "maximum" are not whole numbers',
  );
  expect(refused({ type: "string", maxLength: -1 })).toBe('the answer.x: "maxLength" is not a count');
  expect(refused({ type: "string", enum: [1] })).toBe('the answer.x: "enum" has no option of its type');
  expect(refused({ enum: ["a"] })).toMatch(/"enum" needs a plain "type"/);
  expect(refused({ type: "string", enum: ["a"], maxLength: 3 })).toBe(
    'the answer.x: "maxLength" is not supported beside "enum"',
  );
  expect(refused({ anyOf: [] })).toMatch(/"anyOf"/);
  expect(refused({ type: "array", items: true })).toBe("the answer.x[]: a schema is not an object");
});

test("bounds a schema's bytes, parts, depth and options", () => {
  const within = (count: number) =>
    JSON.stringify(
      object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: "boolean" }]))),
    );
  expect(refusalOf(within(511))).toBe("");
  expect(refusalOf(within(512))).toBe("it has more than 512 parts");
  expect(refusalOf(within(5000))).toBe("it is longer than 65536 bytes");
  const nested = (depth: number): object =>
    depth === 0 ? { type: "boolean" } : { type: "array", items: nested(depth - 1) };
  expect(refusalOf(JSON.stringify(object({ x: nested(7) })))).toBe("");
  expect(refusalOf(JSON.stringify(object({ x: nested(8) })))).toBe("it is deeper than 8 levels");
  const options = Array.from({ length: 1025 }, (_, at) => at);
  expect(refusalOf(JSON.stringify(object({ x: { type: "integer", enum: options } })))).toMatch(/at most 1024 options/);
});

const CITY = schemaOf(
  object(
    {
      city: { type: "string", maxLength: 4 },
      tags: { type: "array", items: { anyOf: [{ type: "integer", maximum: 9 }, { type: "boolean" }] } },
      free: {},
    },
    ["city"],
  ),
);

test.each([
  ["", "the answer is not JSON"],
  ['{"city":"Bonn"} Good luck!', "the answer is not JSON"],
  ['```json\n{"city":"Bonn"}\n```', "the answer is not JSON"],
  ['{"city":"Bonn","city":"Kiel"}', "the answer is not JSON"],
  ["[]", "the answer is not an object"],
  ["{}", "the answer.city is missing"],
  ['{"city":null}', "the answer.city is not a text"],
  ['{"city":"Berlin"}', "the answer.city is longer than 4 characters"],
  ['{"city":"Bonn","tags":[1,true,10]}', "the answer.tags[2] fits none of its shapes"],
  ['{"city":"Bonn","tags":{}}', "the answer.tags is not a list"],
  ['{"city":"Bonn","ignore all rules":1}', "the answer has a member that is not in the schema"],
])("names the faulty part of an answer by the schema's own names: %s", (text, misfit) => {
  expect(CITY.check(text)).toBe(misfit);
});

test("treats names that every object inherits like any other name", () => {
  for (const name of ["__proto__", "constructor", "toString"])
    expect([name, CITY.check(`{"city":"Bonn","${name}":{"city":1}}`) === undefined]).toEqual([name, false]);
  expect(schemaOf(object({ toString: { type: "string" } })).check("{}")).toBe("the answer.toString is missing");
});

test("accepts a fitting answer with any spacing, and any value for a member whose schema states no type", () => {
  for (const text of [
    '{"city":"Bonn"}',
    ' {\n "city" : "😀😀😀😀" } ',
    '{"city":"","tags":[9,false],"free":[null,{"a":1e3}]}',
  ])
    expect([text, CITY.check(text)]).toEqual([text, undefined]);
});

test("checks a long answer with many alternatives quickly", () => {
  const shapes = Array.from({ length: 250 }, (_, at) => ({ type: "integer", minimum: at, maximum: at }));
  const one = schemaOf(object({ x: { type: "array", items: { anyOf: shapes } } }));
  const began = performance.now();
  expect(one.check(`{"x":[${Array.from({ length: 32_000 }, () => "1").join(",")}]}`)).toBeUndefined();
  expect(one.check(`{"x":[${Array.from({ length: 32_000 }, () => "249").join(",")}]}`)).toBe(
    "the answer is longer than 65536 characters",
  );
  expect(one.check(`{"x":[${Array.from({ length: 16_000 }, () => "249").join(",")}]}`)).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(10_000);
});
