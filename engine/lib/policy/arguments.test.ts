import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Param, Type } from "../wire/generated/policy.ts";
import { checkRecord } from "./arguments.ts";
import { canonicalizeArguments, isRecord } from "./canonical-json.ts";
import { readJson } from "./json-reader.ts";

function param(name: string, type: Type, required = true): Param {
  return { name, type, required };
}

const text = (maxBytes: number): Type => ({ which: "text", text: { maxBytes } });
const integer = (low: bigint, high: bigint): Type => ({ which: "integer", integer: { low, high } });

const PARAMS: readonly Param[] = [
  param("path", text(8)),
  param("lines", integer(0n, 4_294_967_295n), false),
  param("big", integer(-(2n ** 63n), 2n ** 64n - 1n), false),
  param("force", { which: "boolean" }, false),
  param("ratio", { which: "number" }, false),
  param("format", { which: "choice", choice: ["plain", "rich"] }, false),
  param("tags", { which: "list", list: text(3) }, false),
  param("values", { which: "json", json: { maxBytes: 20, form: "object" } }, false),
  param("rows", { which: "json", json: { maxBytes: 0, form: "list" } }, false),
  param("any", { which: "json", json: { maxBytes: 9, form: "any" } }, false),
  param("to", { which: "either", either: [text(5), { which: "list", list: text(5) }, integer(0n, 9n)] }, false),
  param(
    "where",
    {
      which: "either",
      either: [
        { which: "record", record: [param("id", text(5))] },
        { which: "record", record: [param("page", text(5))] },
      ],
    },
    false,
  ),
  param("options", { which: "record", record: [param("depth", integer(1n, 9n))] }, false),
];

function misfit(json: string): string | undefined {
  const args = canonicalizeArguments(json);
  return args.ok ? checkRecord(PARAMS, args.value.value) : args.reason;
}

const FITS = [
  '{"path":""}',
  '{"path":"12345678"}',
  '{"path":"€€"}',
  '{"path":"a","lines":4294967295,"force":false,"ratio":0.5,"format":"rich","tags":["a",""],"options":{"depth":1}}',
  '{"path":"a","big":"18446744073709551615"}',
  '{"path":"a","big":"-9223372036854775808"}',
  '{"path":"a","big":-5}',
  '{"path":"a","values":{"b":[{"c":null}]}}',
  '{"path":"a","values":{"b":"123456789012"}}',
  '{"path":"a","values":{ "b" :  "123456789012" }}',
  '{"path":"a","rows":[1,[2],{}]}',
  '{"path":"a","any":null}',
  '{"path":"a","any":"1234567"}',
  '{"path":"a","to":"b"}',
  '{"path":"a","to":["b","c"]}',
  '{"path":"a","to":7}',
  '{"path":"a","where":{"page":"b"}}',
  '{"path":"a","big":"9007199254740992"}',
  '{"path":"a","big":"-9007199254740992"}',
];

for (const json of FITS) test(`accepts ${json}`, () => expect(misfit(json)).toBeUndefined());

const MISFITS: Readonly<Record<string, string>> = {
  "{}": "path is missing",
  '{"path":null}': "path is not a text",
  '{"path":"123456789"}': "path is longer than 8 bytes",
  '{"path":"€€€"}': "path is longer than 8 bytes",
  '{"path":"a","constructor":1}': "constructor is not an argument of this tool",
  '{"path":"a","lines":-1}': "lines is not between 0 and 4294967295",
  '{"path":"a","lines":4294967296}': "lines is not between 0 and 4294967295",
  '{"path":"a","lines":1.5}': "lines is not an integer",
  '{"path":"a","lines":"1"}': "lines is not an integer",
  '{"path":"a","big":"5"}': "big is not an integer",
  '{"path":"a","big":"18446744073709551616"}': "big is not between -9223372036854775808 and 18446744073709551615",
  '{"path":"a","big":"0x10"}': "big is not an integer",
  '{"path":"a","big":"0x7fffffffffffffff"}': "big is not an integer",
  '{"path":"a","big":"9007199254740991"}': "big is not an integer",
  '{"path":"a","big":"-9007199254740991"}': "big is not an integer",
  '{"path":"a","big":["9007199254740992"]}': "big is not an integer",
  '{"path":"a","force":0}': "force is not true or false",
  '{"path":"a","ratio":"0.5"}': "ratio is not a number",
  '{"path":"a","format":"bold"}': "format is not one of plain, rich",
  '{"path":"a","tags":{}}': "tags is not a list",
  '{"path":"a","tags":["a",1]}': "tags[1] is not a text",
  '{"path":"a","options":[]}': "options is not an object",
  '{"path":"a","options":{}}': "options.depth is missing",
  '{"path":"a","options":{"depth":1,"x":1}}': "options.x is not an argument of this tool",
  '{"path":"a","values":{"b":"1234567890123"}}': "values is longer than 20 bytes",
  '{"path":"a","values":{"b":"\\u0000\\u0000\\u0000"}}': "values is longer than 20 bytes",
  '{"path":"a","values":[]}': "values is not an object",
  '{"path":"a","values":null}': "values is not an object; leave it out instead of null",
  '{"path":"a","rows":{}}': "rows is not a list",
  '{"path":"a","any":"€€€€"}': "any is longer than 9 bytes",
  '{"path":"a","to":true}': "to fits none of its 3 shapes",
  '{"path":"a","to":"123456"}': "to is longer than 5 bytes",
  '{"path":"a","to":["b",1]}': "to[1] is not a text",
  '{"path":"a","where":{}}': "where fits none of its 2 shapes; of one, where.id is missing",
  '{"path":"a","where":{"id":"b","page":"c"}}':
    "where fits none of its 2 shapes; of one, where.page is not an argument of this tool",
  '{"path":"a","lines":1,"force":0}': "force is not true or false",
};

for (const [json, reason] of Object.entries(MISFITS)) {
  test(`refuses ${json}`, () => expect(misfit(json)).toBe(reason));
}

test("checks each argument of a tool with many parameters", () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  const params = names.map((name) => param(name, { which: "boolean" }, false));
  const given = (...more: readonly string[]) => Object.fromEntries([...names, ...more].map((name) => [name, true]));
  expect(checkRecord(params, given())).toBeUndefined();
  expect(checkRecord(params, given("q"))).toBe("q is not an argument of this tool");
  expect(checkRecord(params, { ...given(), p11: 1 })).toBe("p11 is not true or false");
});

test("property: agrees with a JSON Schema validator on everything that JSON Schema can express", () => {
  const validate = new Ajv({ strict: true }).compile({
    type: "object",
    properties: {
      path: { type: "string", maxLength: 8 },
      lines: { type: "integer", minimum: 0, maximum: 4_294_967_295 },
      force: { type: "boolean" },
      tags: { type: "array", items: { type: "string", maxLength: 3 } },
      options: {
        type: "object",
        properties: { depth: { type: "integer", minimum: 1, maximum: 9 } },
        required: ["depth"],
        additionalProperties: false,
      },
    },
    required: ["path"],
    additionalProperties: false,
  });
  const ascii = fc.string({ maxLength: 9 });
  const anyArguments = fc.record(
    {
      path: fc.oneof({ weight: 5, arbitrary: ascii }, { weight: 1, arbitrary: fc.jsonValue() }),
      lines: fc.oneof(fc.integer({ min: -2, max: 4_294_967_297 }), fc.constantFrom(1.5, "1", null)),
      force: fc.oneof(fc.boolean(), fc.constantFrom(0, "true")),
      tags: fc.array(fc.oneof({ weight: 5, arbitrary: ascii }, { weight: 1, arbitrary: fc.integer() }), {
        maxLength: 3,
      }),
      options: fc.record({ depth: fc.integer({ min: 0, max: 10 }), more: fc.boolean() }, { requiredKeys: [] }),
      more: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyArguments, (args) => {
      const json = JSON.stringify(args);
      expect(misfit(json) === undefined).toBe(validate(JSON.parse(json)));
    }),
    { numRuns: 2000 },
  );
});

test("refuses values deeper than the reader's limit before it checks anything", () => {
  const nested = (depth: number) => `{"path":"a","rows":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  expect(misfit(nested(31))).toBeUndefined();
  expect(misfit(nested(32))).toMatch(/not acceptable JSON/);
});

test("refuses null for an optional argument and says to leave it out", () => {
  const text = { which: "text", text: { maxBytes: 9 } } as const;
  const params = [
    { name: "a", type: text, required: true },
    { name: "b", type: text, required: false },
  ];
  const misfitOf = (json: string) => {
    const read = readJson(json);
    return read.ok && isRecord(read.value) ? checkRecord(params, read.value) : read;
  };
  expect(misfitOf('{"a":"","b":null}')).toBe("b is not a text; leave it out instead of null");
  expect(misfitOf('{"a":null}')).toBe("a is not a text");
});
