import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkRecord } from "../../../engine/lib/policy/arguments.ts";
import { canonicalizeArguments } from "../../../engine/lib/policy/index.ts";
import { reflectStandard } from "../../phases/reflect/index.ts";
import { readToolList } from "../../phases/reflect/mcp.ts";

// JSON Schema (for models) and Param (for the gate) are derived from the same interface in different ways.

const list = readFileSync(new URL("../../../examples/mcp-import/github.tools.json", import.meta.url), "utf8");
const imported = readToolList("github.tools.json", list);
const INTERFACES = [...reflectStandard(), ...(imported.ok ? [imported.value.description] : [])];

const METHODS = INTERFACES.flatMap(({ name, methods }) =>
  methods.flatMap((method) => (method.callable ? [{ ...method, name: `${name}.${method.name}` }] : [])),
);

const names = [...new Set(METHODS.flatMap(({ params }) => params.map(({ name }) => name)))];
const anyValue = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  { weight: 3, arbitrary: fc.oneof(fc.integer(), fc.nat(), fc.maxSafeInteger()) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const anyArguments = fc.dictionary(
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() }),
  anyValue,
  { maxKeys: 3 },
);

test("the tested methods include methods of the standard library and of an imported list", () => {
  expect(METHODS.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Files.read", "Files.write", "Logs.tail", "Tools.create_issue"]),
  );
});

for (const { name, params, paramSchema } of METHODS) {
  test(`the gate and a JSON Schema validator agree on the arguments of ${name}`, () => {
    const validate = new Ajv2020({ strict: true }).compile(JSON.parse(paramSchema));
    fc.assert(
      fc.property(anyArguments, (value) => {
        const args = canonicalizeArguments(JSON.stringify(value));
        if (!args.ok) return;
        expect(checkRecord(params, args.value.value) === undefined).toBe(validate(JSON.parse(args.value.text)));
      }),
      { numRuns: 300 },
    );
  });
}
