import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateConditions, type Standing } from "../../../engine/lib/policy/index.ts";
import { check } from "../../../engine/lib/policy/testing/sample.ts";
import type { Condition, Source } from "../../../engine/lib/wire/generated/policy.ts";
import { canHaveTruths, relateConditions } from "./relations.ts";
import { anyAsked, VOCABULARY } from "./testing/any-conditions.ts";

const value = (operator: Condition["operator"], ...values: readonly (string | number | boolean)[]) =>
  check("x", operator, ...values);
const count = (most: number): Condition => ({ ...value("lessOrEqual", most), term: "count", extract: "urls" });
const domain = (name: string): Condition => ({ ...value("under", name), term: "domain" });
const from = (...sources: readonly Source["which"][]): Condition => ({
  ...value("from"),
  literals: [],
  sources: sources.map((which) => ({ which }) as Source),
});

const IMPLIED: Readonly<Record<string, readonly [Condition, Condition]>> = {
  "a higher upper bound": [value("lessOrEqual", 2), value("lessOrEqual", 5)],
  "the same bound, included": [value("less", 5), value("lessOrEqual", 5)],
  "a lower lower bound": [value("greater", 5), value("greaterOrEqual", 5)],
  "a longer list of numbers": [value("in", 1, 2), value("in", 1, 2, 3)],
  "a bound above a number": [value("equal", 1.5), value("less", 2)],
  "another number than one that is too large": [value("less", 2), value("notEqual", 2)],
  "a higher count of links": [count(2), count(5)],
  "a longer list of texts": [value("in", "a", "b"), value("in", "b", "c", "a")],
  "a shorter beginning": [value("startsWith", "abc"), value("startsWith", "ab")],
  "a shorter end": [value("endsWith", "abc"), value("endsWith", "bc")],
  "the beginning of a text": [value("equal", "abc"), value("startsWith", "ab")],
  "a looser pattern": [value("matches", "INV-##*"), value("matches", "INV-*")],
  "a pattern with any character in place of a digit": [value("matches", "a#"), value("matches", "a?")],
  "a beginning as a pattern": [value("matches", "ab*c"), value("startsWith", "ab")],
  "a folder around": [value("under", "/a/b"), value("under", "/a")],
  "a domain above": [domain("b.a.example"), domain("a.example")],
  "more sources": [from("person"), from("person", "page")],
};

test.each(Object.entries(IMPLIED))(
  "a condition holds wherever a narrower one holds, but not the reverse: %s",
  (_, [one, other]) => {
    expect(relateConditions(one, other)).toMatchObject({ implies: true, isImplied: false });
    expect(relateConditions(other, one)).toMatchObject({ implies: false, isImplied: true });
  },
);

const every = (condition: Condition): Condition => ({ ...condition, each: "every" });
const some = (condition: Condition): Condition => ({ ...condition, each: "some" });
const orAbsent = (condition: Condition): Condition => ({ ...condition, absentHolds: true });

test("if `every` holds for a list, `some` with the same test fails only if the list is empty", () => {
  const relation = relateConditions(every(from("page", "pasted")), some(from("page", "pasted")));
  expect(canHaveTruths(relation, "holds", "fails")).toBe(true);
  expect(canHaveTruths(relation, "holdsWeakly", "fails")).toBe(false);
  expect(canHaveTruths(relation, "fails", "holds")).toBe(true);
  expect(canHaveTruths(relation, "unknown", "fails")).toBe(false);
});

test("where `every` or `some` fails, the same test with one more weak source can hold only weakly, and with one more strong source also strongly", () => {
  for (const quantify of [every, some]) {
    const weak = relateConditions(quantify(from("person")), quantify(from("person", "pasted")));
    expect(canHaveTruths(weak, "fails", "holdsWeakly")).toBe(true);
    expect(canHaveTruths(weak, "fails", "holds")).toBe(false);
    expect(canHaveTruths(weak, "holds", "fails")).toBe(false);
    expect(canHaveTruths(weak, "holds", "holds")).toBe(true);
    const strong = relateConditions(quantify(from("person")), quantify(from("person", "page")));
    expect(canHaveTruths(strong, "fails", "holds")).toBe(true);
    expect(canHaveTruths(strong, "holds", "unknown")).toBe(false);
  }
  // One element may come from the person, and another one from the page.
  const relation = relateConditions(some(from("person")), some(from("page")));
  expect(canHaveTruths(relation, "holds", "holds")).toBe(true);
});

test("property: the results of two conditions on the sources of a list are among the results that are reported as possible", () => {
  const sets = fc.subarray<Source["which"]>(["person", "page", "pasted", "untrusted"], { minLength: 1 });
  const anyEach = fc.constantFrom("every" as const, "some" as const);
  const origins = fc.array(fc.subarray(["person", "page", "pasted", "untrusted"]), { maxLength: 3 });
  fc.assert(
    fc.property(sets, anyEach, sets, anyEach, origins, fc.boolean(), (one, each, two, other, of, isLost) => {
      const list = of.map((_, index) => `w${index}`);
      const judge = (word: string | number, asked: readonly Source[]): Standing => {
        const known = of[list.indexOf(String(word))] ?? [];
        const isTrusted = known.includes("person") || known.includes("page");
        const named = asked.map(({ which }) => which);
        const has = (which: Source["which"]) => named.includes(which) && known.includes(which);
        if (has("person") || has("page")) return "strong";
        if (has("pasted") || (named.includes("untrusted") && !isTrusted && known.length > 0)) return "weak";
        const isExcluded = isTrusted && named.every((which) => which === "untrusted");
        return isLost && !isExcluded ? "unknown" : "none";
      };
      const conditions = [
        { ...from(...one), each },
        { ...from(...two), each: other },
      ];
      const sources = { judge, trace: () => undefined };
      const [left = "unknown", right = "unknown"] = conditions.map((each) =>
        evaluateConditions([each], { x: list }, { sources }),
      );
      const [first, second] = conditions;
      if (first === undefined || second === undefined) throw new Error("two conditions");
      expect(canHaveTruths(relateConditions(first, second), left, right)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("`or absent` changes the result only where the condition is unknown", () => {
  const relation = relateConditions(value("lessOrEqual", 2), orAbsent(value("lessOrEqual", 5)));
  expect(canHaveTruths(relation, "unknown", "holds")).toBe(true);
  expect(canHaveTruths(relation, "holds", "fails")).toBe(false);
  expect(canHaveTruths(relation, "fails", "holds")).toBe(true);
  expect(canHaveTruths(relation, "holds", "unknown")).toBe(false);
});

test.each<[string, Condition, Condition]>([
  ["two arguments", check("x", "less", 2), check("y", "less", 5)],
  ["a size and a value", { ...value("less", 2), term: "size" }, value("less", 5)],
  ["elements and the whole", { ...value("less", 2), each: "every" }, value("less", 5)],
  ["two folders", value("under", "/a"), value("under", "/b")],
  ["a folder and a longer name", value("under", "/ab"), value("under", "/a")],
  ["a pattern with fewer characters", value("matches", "a*"), value("matches", "a?*")],
  ["a run in place of one character", value("matches", "a*b"), value("matches", "a?b")],
  ["two bounds on different sides", value("less", 2), value("greater", 5)],
  ["other sources", from("pasted"), from("person", "page")],
])("the first condition does not imply the second: %s", (_, one, other) => {
  expect(relateConditions(one, other)).toMatchObject({ implies: false });
});

test("property: results that two conditions have for some call are never reported as impossible", () => {
  let related = 0;
  fc.assert(
    fc.property(anyAsked, anyAsked, ({ list }, other) => {
      const conditions = [...list.clauses, ...other.list.clauses].flatMap((clause) => clause.conditions);
      for (const one of conditions) {
        for (const two of conditions) {
          const relation = relateConditions(one, two);
          if (relation.implies || relation.isKnownTogether) related++;
          const [name = ""] = one.path;
          for (const args of [{}, { [name]: null }, ...(VOCABULARY[name] ?? []).map((each) => ({ [name]: each }))]) {
            const [left, right] = [one, two].map((each) => evaluateConditions([each], args));
            if (canHaveTruths(relation, left ?? "unknown", right ?? "unknown")) continue;
            throw new Error(`${JSON.stringify([one, two, args])} gives ${left} and ${right}`);
          }
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(related).toBeGreaterThan(500);
});

const STRENGTHS: readonly Standing[] = ["none", "weak", "strong"];

test("a `from` condition with more sources can have the same result or a stronger result, but not a weaker one", () => {
  // The source `atLeast: 1` means texts of the person and the page, and results with integrity level 1 or higher. Some
  // of these texts are strong sources and others are weak ones, so a value may have any standing by this source.
  const sources: Source[] = [{ which: "pasted" }, { which: "atLeast", atLeast: 1 }];
  const relation = relateConditions(from("pasted"), { ...from(), sources });
  for (const [at, few] of STRENGTHS.entries()) {
    for (const [index, many] of STRENGTHS.entries()) {
      const [left, right] = [few, many].map((standing) => {
        const sources = { judge: () => standing, trace: () => undefined };
        return evaluateConditions([from("person")], { x: "a" }, { sources });
      });
      expect(canHaveTruths(relation, left ?? "unknown", right ?? "unknown")).toBe(index >= at);
    }
  }
  expect(canHaveTruths(relation, "fails", "unknown")).toBe(false);
  expect(canHaveTruths(relation, "unknown", "holds")).toBe(true);
  expect(canHaveTruths(relation, "holds", "unknown")).toBe(false);
});

test("an added weak source can make a condition hold weakly, but not strongly", () => {
  const relation = relateConditions(from("person"), from("person", "pasted"));
  expect(canHaveTruths(relation, "fails", "holdsWeakly")).toBe(true);
  expect(canHaveTruths(relation, "fails", "holds")).toBe(false);
  expect(canHaveTruths(relation, "holds", "holds")).toBe(true);
});
