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

const chosen = (operator: Condition["operator"], name = "text"): Condition => ({
  ...value(operator, "a"),
  literals: [{ which: "parameter", parameter: { name, kind: name === "limit" ? "number" : "text" } }],
});

const IMPOSSIBLE: Readonly<Record<string, readonly [Type, ...SignedCondition[]]>> = {
  "a text that equals a parameter and differs from it": [text, is(chosen("equal")), is(chosen("notEqual"))],
  "a number above a parameter and not": [
    number,
    is(chosen("greater", "limit")),
    not(chosen("greaterOrEqual", "limit")),
  ],
  "a number neither below, at nor above a parameter": [
    number,
    ...[not(chosen("less", "limit")), not(chosen("equal", "limit")), is(chosen("lessOrEqual", "limit"))],
  ],
  "an integer between two successive ones": [small, is(value("greater", 3)), is(value("less", 4))],
  "a fraction as an integer": [small, is(value("equal", 1.5))],
  "an integer beyond its bounds": [small, not(value("lessOrEqual", 9))],
  "a range without all of its integers": [small, is(value("less", 2)), not(value("in", 0, 1))],
  "a number that differs from itself": [number, is(value("equal", 1.5)), is(value("notEqual", 1.5))],
  "a number beyond the range of the reader": [number, is(value("greater", 9_007_199_254_740_991))],
  "a number both in a list and not in it": [number, is(value("in", 1, 2, 3)), is(value("greater", 3))],
  "a fraction strictly between a number and itself": [number, is(value("greaterOrEqual", 2)), is(value("less", 2))],
  "a prefix and a suffix that do not overlap in a short text": [
    text,
    is(value("startsWith", "ab")),
    is(value("endsWith", "c")),
    is(size("less", 3)),
  ],
  "an exclusion of both words": [choice, not(value("equal", "red")), is(value("notEqual", "green"))],
  "a boolean that is neither true nor false": [boolean, not(value("equal", true)), not(value("equal", false))],
  "two different words": [text, is(value("equal", "red")), is(value("in", "green", "blue"))],
  "a word that is too long": [text, is(value("equal", "red")), is(size("less", 3))],
  "a size of zero for a text that is not empty": [text, is(size("less", 1)), is(value("notEqual", ""))],
  "a size above the maximum of the type": [text, is(size("greater", 20))],
  "folders apart": [text, is(value("under", "/a")), is(value("under", "/b"))],
  "a path in a folder, but not in its parent": [text, is(value("under", "/a/b")), not(value("under", "/a"))],
  nowhere: [text, not(value("under", "/"))],
  "a folder with a name that is too long": [text, is(value("under", "/aaaa/bbbb")), is(size("less", 9))],
  "an origin that does not exist": [text, is(origin("equal", "https://a.example/x"))],
  "an origin that is both allowed and excluded": [
    text,
    is(origin("in", "https://a.example")),
    is(origin("notEqual", "https://a.example")),
  ],
  "a boolean compared with a word": [boolean, not(value("equal", "yes"))],
  "a list compared with a value": [{ which: "list", list: text }, not(value("equal", "a"))],
};

for (const [name, [type, ...signed]] of Object.entries(IMPOSSIBLE)) {
  test(`no value meets these conditions: ${name}`, () => {
    expect(canBeAnswered(type, signed)).toBe(false);
    // In a list of several conditions, only the last one makes the list impossible: the conditions before it can be met
    // together.
    if (signed.length > 1) expect(canBeAnswered(type, signed.slice(0, -1))).toBe(true);
  });
}

const POSSIBLE: Readonly<Record<string, readonly [Type, ...SignedCondition[]]>> = {
  "a text that equals one parameter and differs from another": [
    text,
    is(chosen("equal")),
    is(chosen("notEqual", "other")),
  ],
  "a number at a parameter": [number, is(chosen("lessOrEqual", "limit")), is(chosen("greaterOrEqual", "limit"))],
  "a prefix and a suffix that overlap": [
    text,
    is(value("startsWith", "abc")),
    is(value("endsWith", "bcd")),
    is(size("lessOrEqual", 4)),
  ],
  "a fraction between two integers": [number, is(value("greater", 3)), is(value("less", 4))],
  "the largest integer": [small, is(value("greater", 8))],
  "one number at which two bounds meet": [number, is(value("lessOrEqual", 2)), is(value("greaterOrEqual", 2))],
  "a word of exactly the right length": [text, is(value("in", "red", "green")), is(size("greater", 4))],
  "the empty text": [text, is(size("less", 1))],
  "a path in a folder, but not in a subfolder": [text, is(value("under", "/a")), not(value("under", "/a/b"))],
  "a folder with the longest possible name": [text, is(value("under", "/aaaa/bbbb")), is(size("lessOrEqual", 9))],
  "another origin": [text, is(origin("notEqual", "https://a.example"))],
  "one of two origins": [
    text,
    is(origin("in", "https://a.example", "https://b.example")),
    not(origin("equal", "https://a.example")),
  ],
};

for (const [name, [type, ...signed]] of Object.entries(POSSIBLE)) {
  test(`some value meets these conditions: ${name}`, () => expect(canBeAnswered(type, signed)).toBe(true));
}

test("property: if some value makes conditions hold or fail as required, this is not reported as impossible", () => {
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
  "a size of zero or more": [text, size("greaterOrEqual", 0)],
  "a size up to the maximum of the type": [text, size("lessOrEqual", 20)],
  "an integer within the bounds of its type": [small, value("lessOrEqual", 9)],
  "a list of all choices": [choice, value("in", "red", "green", "blue")],
  "either truth": [boolean, value("in", true, false)],
};

for (const [name, [type, condition]] of Object.entries(ALWAYS)) {
  test(`a condition is always met: ${name}`, () => expect(isAlwaysMet(type, condition)).toBe(true));
}

const SOMETIMES: Readonly<Record<string, readonly [Type, Condition]>> = {
  "a size that excludes the empty text": [text, size("greater", 0)],
  "a size below the maximum of the type": [text, size("less", 20)],
  "any path, because a path with `..` is not in a folder": [text, value("under", "/")],
  "a different origin, because a text may not be an address": [text, origin("notEqual", "https://a.example")],
  "a text that differs from another one": [text, value("notEqual", "red")],
  "an integer that is sent as text": [
    { which: "integer", integer: { low: 0n, high: 2n ** 63n } },
    value("greaterOrEqual", 0),
  ],
};

for (const [name, [type, condition]] of Object.entries(SOMETIMES)) {
  test(`a condition is not always met: ${name}`, () => expect(isAlwaysMet(type, condition)).toBe(false));
}

test("property: a condition that is reported as always met is met by every value", () => {
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
