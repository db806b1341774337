import fc from "fast-check";
import { expect, test } from "vitest";
import { renderFactsPage } from "../../compiler/dev/fixtures/facts.ts";
import { programOf } from "./called.ts";

const call = await programOf(renderFactsPage({ services: "service sums : Calculator {}", permit: "auto readOnly" }));

/** Returns the value of an expression, or the reason why the expression has no value. */
async function worth(expression: string): Promise<string> {
  const answer = await call("calc", { expression });
  return typeof answer === "string" ? answer : (answer as { readonly value: string }).value;
}

test.each([
  ["100 * 42", "100 * 42 = 4200"],
  ["10 + 20", "10 + 20 = 30"],
  ["42 * 17", "42 * 17 = 714"],
])("the result of %s has the text that seed 4 specifies", async (expression, said) => {
  expect(await call("calc", { expression })).toMatchObject({ said });
});

test.each([
  ["1 + 2 * 3", "7"],
  ["(1 + 2) * 3", "9"],
  ["8 - 3 - 2", "3"],
  ["100 / 10 / 5", "2"],
  ["7 / 2", "3"],
  ["-7 / 2", "-3"],
  ["2 - -3", "5"],
  ["-(2 + 3)", "-5"],
  ["--4", "4"],
  ["-9223372036854775808", "-9223372036854775808"],
  ["9007199254740993 + 0", "9007199254740993"],
  ["0.1 + 0.2", "0.3"],
  ["7.0 / 2", "3.5"],
  ["1.5 * -2", "-3"],
  ["0.1 - 0.25", "-0.15"],
  ["1.10 + 0", "1.1"],
  [`0.${"0".repeat(199)}1 * 10`, `0.${"0".repeat(198)}1`],
])("the value of %s is %s", async (expression, value) => {
  expect(await worth(expression)).toBe(value);
});

test.each([
  ["", /a number or an opening bracket is missing/],
  ["1 +", /a number or an opening bracket is missing/],
  ["(1", /a closing bracket is missing/],
  ["1 2", /`2` stands where the expression ends/],
  ["1)", /`\)` stands where/],
  ["2 ** 3", /a number or an opening bracket is missing/],
  ["1e9", /at character 2: expected/],
  ["0x10", /at character 2/],
  ["process.exit()", /at character 1/],
  ["1,5", /at character 2/],
  ["١ + ١", /at character 1/],
  ["1 / 0", /divided by zero/],
  ["1.0 / (2 - 2)", /divided by zero/],
  ["9223372036854775807 + 1", /beyond 64 bits/],
  ["9223372036854775808", /beyond 64 bits/],
  ["-9223372036854775808 / -1", /beyond 64 bits/],
  ["1.0 / 3", /no last decimal place/],
  [`${"9".repeat(600)}.0 * ${"9".repeat(401)}`, /more than 1000 digits/],
  ["(".repeat(65), /at most 64 deep/],
  ["-".repeat(200), /at most 64 deep/],
  ["1".repeat(1025), /at most 1024 characters/],
])("refuses to calculate: %s", async (expression, reason) => {
  expect(await worth(expression)).toMatch(reason);
});

/** Chains of alternating operands and operators. An operand may be a chain in brackets. */
const chains = fc.letrec<{ chain: string }>((tie) => ({
  chain: fc
    .tuple(
      operand(tie("chain")),
      fc.array(fc.tuple(fc.constantFrom("+", "-", "*"), operand(tie("chain"))), { maxLength: 3 }),
    )
    .map(([first, rest]) => [first, ...rest.flat()].join(" ")),
})).chain;

function operand(chain: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const number = fc.nat(9).map(String);
  return fc.oneof(
    { depthSize: "small" },
    number,
    chain.map((inner) => `(${inner})`),
    number.map((text) => `-${text}`),
  );
}

test("expressions of integers have the same values as in JavaScript with BigInt", async () => {
  await fc.assert(
    fc.asyncProperty(chains, async (expression) => {
      fc.pre(expression.length <= 1024);
      const expected: unknown = new Function(`return ${expression.replace(/\d/g, "$&n")}`)();
      const value = await worth(expression);
      expect(/beyond 64 bits|64 deep/.test(value) || value === String(expected)).toBe(true);
    }),
  );
});

test("any text gives a number or a reason in one line", async () => {
  const alphabet = fc.constantFrom(..."0123456789.+-*/() \t\n", "é", "e");
  const texts = fc.oneof(fc.string({ unit: alphabet, maxLength: 300 }), fc.string({ unit: "grapheme", maxLength: 99 }));
  await fc.assert(
    fc.asyncProperty(texts, async (expression) => {
      expect(await worth(expression)).toMatch(/^(?:-?\d+(?:\.\d*[1-9])?|the program failed: [^\n]+)$/);
    }),
  );
});
