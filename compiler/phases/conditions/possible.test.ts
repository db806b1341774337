import fc from "fast-check";
import { expect, test } from "vitest";
import { checkRecord, evaluateConditions } from "../../../engine/lib/policy/index.ts";
import { check } from "../../../engine/lib/policy/testing/sample.ts";
import type { Condition, Type } from "../../../engine/lib/wire/generated/policy.ts";
import { isAlwaysMet } from "./certain.ts";
import type { SignedCondition } from "./demands.ts";
import { canBeAnswered } from "./possible.ts";
import { anyAsked, VOCABULARY } from "./testing/any-conditions.ts";

const text: Type = { which: "text", text: { maxBytes: 20 } };
const small: Type = { which: "integer", integer: { low: 0n, high: 9n } };
const number: Type = { which: "number" };
const choice: Type = { which: "choice", choice: ["red", "green"] };
const boolean: Type = { which: "boolean" };

const is = (condition: Condition): SignedCondition => ({ condition, holds: true });
const not = (condition: Condition): SignedCondition => ({ condition, holds: false });
const value = (operator: Condition["operator"], ...values: readonly (string | number | boolean)[]) =>
  check("x", operator, ...values);
const size = (operator: Condition["operator"], bytes: number): Condition => ({
  ...value(operator, bytes),
  term: "size",
});
const origin = (operator: Condition["operator"], ...values: readonly string[]): Condition => ({
  ...value(operator, ...values),
  term: "origin",
});

const IMPOSSIBLE: Readonly<Record<string, readonly [Type, ...SignedCondition[]]>> = {
  "no integer between two that follow each other": [small, is(value("greater", 3)), is(value("less", 4))],
  "no integer is a fraction": [small, is(value("equal", 1.5))],
  "an integer beyond its bounds": [small, not(value("lessOrEqual", 9))],
  "all integers taken out": [small, is(value("less", 2)), not(value("in", 0, 1))],
  "a number that is not itself": [number, is(value("equal", 1.5)), is(value("notEqual", 1.5))],
  "a number beyond what the reader takes": [number, is(value("greater", 9_007_199_254_740_991))],
  "one of some numbers and none of them": [number, is(value("in", 1, 2, 3)), is(value("greater", 3))],
  "no fraction between a number and itself": [number, is(value("greaterOrEqual", 2)), is(value("less", 2))],
  "a beginning and an end that do not overlap in a short text": [
    text,
    is(value("startsWith", "ab")),
    is(value("endsWith", "c")),
    is(size("less", 3)),
  ],
  "both words refused": [choice, not(value("equal", "red")), is(value("notEqual", "green"))],
  "a truth value that is neither": [boolean, not(value("equal", true)), not(value("equal", false))],
  "two words at once": [text, is(value("equal", "red")), is(value("in", "green", "blue"))],
  "a word that is too long": [text, is(value("equal", "red")), is(size("less", 3))],
  "no bytes, and not the empty text": [text, is(size("less", 1)), is(value("notEqual", ""))],
  "a size beyond the type's": [text, is(size("greater", 20))],
  "folders apart": [text, is(value("under", "/a")), is(value("under", "/b"))],
  "in a folder and not in the one around it": [text, is(value("under", "/a/b")), not(value("under", "/a"))],
  nowhere: [text, not(value("under", "/"))],
  "a folder with a name that is too long": [text, is(value("under", "/aaaa/bbbb")), is(size("less", 9))],
  "an origin that no address has": [text, is(origin("equal", "https://a.example/x"))],
  "an origin allowed and refused": [
    text,
    is(origin("in", "https://a.example")),
    is(origin("notEqual", "https://a.example")),
  ],
  "a truth value compared with a word": [boolean, not(value("equal", "yes"))],
  "a list compared with anything": [{ which: "list", list: text }, not(value("equal", "a"))],
};

for (const [name, [type, ...signed]] of Object.entries(IMPOSSIBLE)) {
  test(`impossible: ${name}`, () => {
    expect(canBeAnswered(type, signed)).toBe(false);
    // One demand less, and it can be met, but where it was one alone.
    if (signed.length > 1) expect(canBeAnswered(type, signed.slice(0, -1))).toBe(true);
  });
}

const POSSIBLE: Readonly<Record<string, readonly [Type, ...SignedCondition[]]>> = {
  "a beginning and an end that overlap": [
    text,
    is(value("startsWith", "abc")),
    is(value("endsWith", "bcd")),
    is(size("lessOrEqual", 4)),
  ],
  "a fraction between two integers": [number, is(value("greater", 3)), is(value("less", 4))],
  "the last integer": [small, is(value("greater", 8))],
  "one number that bounds meet in": [number, is(value("lessOrEqual", 2)), is(value("greaterOrEqual", 2))],
  "a word of the right length": [text, is(value("in", "red", "green")), is(size("greater", 4))],
  "the empty text": [text, is(size("less", 1))],
  "in a folder, not in one inside it": [text, is(value("under", "/a")), not(value("under", "/a/b"))],
  "a folder with a name just short enough": [text, is(value("under", "/aaaa/bbbb")), is(size("lessOrEqual", 9))],
  "another origin": [text, is(origin("notEqual", "https://a.example"))],
  "one of two origins": [
    text,
    is(origin("in", "https://a.example", "https://b.example")),
    not(origin("equal", "https://a.example")),
  ],
};

for (const [name, [type, ...signed]] of Object.entries(POSSIBLE)) {
  test(`possible: ${name}`, () => expect(canBeAnswered(type, signed)).toBe(true));
}

test("law: answers that a value gives are never called impossible", () => {
  fc.assert(
    fc.property(anyAsked, ({ params, list }) => {
      const conditions = list.clauses.flatMap((clause) => clause.conditions);
      for (const { name, type } of params) {
        const about = conditions.filter(({ path }) => path.length === 1 && path[0] === name);
        for (const one of fitting(type, name)) {
          const answers = about.map((condition) => ({
            condition,
            truth: evaluateConditions([condition], { [name]: one }),
          }));
          if (answers.some(({ truth }) => truth === "unknown")) continue;
          const signed = answers.map(({ condition, truth }) => ({ condition, holds: truth === "holds" }));
          expect(canBeAnswered(type, signed)).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
});

const ALWAYS: Readonly<Record<string, readonly [Type, Condition]>> = {
  "a size of nothing or more": [text, size("greaterOrEqual", 0)],
  "a size up to the type's": [text, size("lessOrEqual", 20)],
  "an integer within its bounds": [small, value("lessOrEqual", 9)],
  "one of all choices": [choice, value("in", "red", "green", "blue")],
  "either truth": [boolean, value("in", true, false)],
};

for (const [name, [type, condition]] of Object.entries(ALWAYS)) {
  test(`always met: ${name}`, () => expect(isAlwaysMet(type, condition)).toBe(true));
}

const SOMETIMES: Readonly<Record<string, readonly [Type, Condition]>> = {
  "a size that leaves out the empty text": [text, size("greater", 0)],
  "a size below the type's": [text, size("less", 20)],
  "any path, for `..` is under nothing": [text, value("under", "/")],
  "an origin that is another, for a text may be no address": [text, origin("notEqual", "https://a.example")],
  "a text that is no other": [text, value("notEqual", "red")],
  "an integer that travels as text": [
    { which: "integer", integer: { low: 0n, high: 2n ** 63n } },
    value("greaterOrEqual", 0),
  ],
};

for (const [name, [type, condition]] of Object.entries(SOMETIMES)) {
  test(`not always met: ${name}`, () => expect(isAlwaysMet(type, condition)).toBe(false));
}

test("law: what is always met holds of every value", () => {
  fc.assert(
    fc.property(anyAsked, ({ params, list }) => {
      const conditions = list.clauses.flatMap((clause) => clause.conditions);
      for (const { name, type } of params) {
        for (const condition of conditions.filter(({ path }) => path.length === 1 && path[0] === name)) {
          if (!isAlwaysMet(type, condition)) continue;
          for (const one of fitting(type, name)) expect(evaluateConditions([condition], { [name]: one })).toBe("holds");
        }
      }
    }),
    { numRuns: 500 },
  );
});

function fitting(type: Type, name: string) {
  const values = VOCABULARY[name] ?? [];
  return values.filter((one) => checkRecord([{ name, type, required: true }], { [name]: one }) === undefined);
}
