import { expect, test } from "vitest";
import type { Condition } from "../wire/generated/policy.ts";
import { evaluateConditions } from "./condition.ts";
import { renderCondition } from "./condition-text.ts";
import { check } from "./testing/sample.ts";

const ARGS = {
  path: "reports/a",
  amount: "99.50",
  lines: 3,
  force: true,
  nested: { depth: 2 },
  list: ["a"],
  numbers: [3],
  url: "https://a.example/x",
  cc: null,
  empty: [],
  links: ["https://a.example/x", "https://b.a.example"],
  mixed: ["https://a.example/x", "nowhere"],
  to: ["ada@a.example", "Bob@A.example"],
  items: [
    { amount: 3, tags: ["x"] },
    { amount: 5, note: "n", tags: [] },
  ],
  body: "see https://a.example/x and http://c.example or ask ada@a.example",
};

const every = (condition: Condition): Condition => ({ ...condition, each: "every" });
const some = (condition: Condition): Condition => ({ ...condition, each: "some" });
const orAbsent = (condition: Condition): Condition => ({ ...condition, absentHolds: true });
const domain = (condition: Condition): Condition => ({ ...condition, term: "domain" });
const inside = (extract: Condition["extract"], condition: Condition): Condition => ({ ...condition, extract });
const amount = (operator: Condition["operator"], than: number): Condition => ({
  ...check("items", operator, than),
  path: ["items", "amount"],
});
const count = (condition: Condition): Condition => ({ ...condition, term: "count" });
const has = (path: readonly string[], wanted: boolean): Condition => ({
  ...check("x", "equal", wanted),
  path,
  term: "has",
});

const TRUTHS = {
  holds: [
    check("path", "under", "/reports"),
    check("path", "in", "x", "reports/a"),
    check("path", "notEqual", "x"),
    check("amount", "less", 100),
    check("amount", "equal", 99.5),
    check("lines", "greaterOrEqual", 3),
    check("lines", "in", 1, 3),
    check("force", "equal", true),
    { ...check("nested", "lessOrEqual", 2), path: ["nested", "depth"] },
    { ...check("path", "equal", 9), term: "size" as const },
    check("lines", "greater", 2),
    check("lines", "lessOrEqual", 3),
    { ...check("url", "equal", "https://a.example"), term: "origin" as const },
    every(check("list", "equal", "a")),
    every(check("empty", "equal", "a")),
    every(amount("lessOrEqual", 5)),
    some(amount("less", 4)),
    every(domain(check("links", "under", "a.example"))),
    some(domain(check("links", "equal", "b.a.example"))),
    every(domain(check("to", "in", "a.example"))),
    every(inside("urls", domain(check("body", "in", "a.example", "c.example")))),
    every(inside("addresses", check("body", "equal", "ada@a.example"))),
    every(inside("urls", domain(check("path", "equal", "a.example")))),
    some({ ...check("items", "equal", "x"), path: ["items", "tags"] }),
    count(check("links", "equal", 2)),
    count(check("empty", "less", 1)),
    count(inside("urls", check("body", "lessOrEqual", 2))),
    domain(check("url", "notEqual", "b.example")),
    check("path", "startsWith", "reports/"),
    check("path", "endsWith", "/a"),
    has(["path"], true),
    has(["nested", "depth"], true),
    has(["cc"], false),
    has(["absent"], false),
    has(["nested", "absent"], false),
    has(["path", "x"], false),
    orAbsent(check("absent", "equal", "x")),
    orAbsent(check("cc", "equal", "x")),
    orAbsent({ ...check("absent", "equal", "x"), path: ["absent", "x"] }),
    orAbsent(every(check("absent", "equal", "x"))),
    orAbsent(every({ ...check("items", "equal", "n"), path: ["items", "note"] })),
  ],
  fails: [
    check("path", "under", "/report"),
    check("path", "in", "x", "y"),
    check("amount", "greater", 99.5),
    check("force", "equal", false),
    { ...check("path", "less", 9), term: "size" as const },
    check("lines", "equal", 4),
    check("lines", "less", 3),
    check("lines", "lessOrEqual", 2),
    check("lines", "greater", 3),
    check("lines", "greaterOrEqual", 4),
    { ...check("url", "notEqual", "https://a.example"), term: "origin" as const },
    some(check("empty", "equal", "a")),
    every(amount("less", 5)),
    some(amount("greater", 5)),
    every(domain(check("links", "equal", "a.example"))),
    every(inside("urls", domain(check("body", "equal", "a.example")))),
    some(inside("urls", check("path", "equal", "a"))),
    count(check("items", "greater", 2)),
    check("path", "startsWith", "a"),
    check("path", "endsWith", "reports"),
    domain(check("url", "under", "xample")),
    has(["path"], false),
    has(["cc"], true),
    orAbsent(check("path", "equal", "x")),
  ],
  unknown: [
    check("absent", "equal", "x"),
    check("absent", "notEqual", "x"),
    check("path", "less", 5),
    check("path", "equal", true),
    check("lines", "under", "/x"),
    check("force", "in", "x"),
    check("nested", "equal", "x"),
    { ...check("list", "equal", "a"), path: ["list", "0"] },
    { ...check("path", "equal", "https://a.example"), term: "origin" as const },
    { ...check("lines", "equal", 1), term: "size" as const },
    check("path", "in"),
    check("path", "in", "reports/a", 3),
    check("lines", "notEqual", "x"),
    check("lines", "less", "x"),
    check("path", "under", true),
    check("numbers", "less", 5),
    { ...check("absent", "less", 9), term: "size" as const },
    { ...check("lines", "equal", "https://a.example"), term: "origin" as const },
    every(check("path", "equal", "reports/a")),
    every(check("absent", "equal", "a")),
    every(check("cc", "equal", "a")),
    every(domain(check("mixed", "equal", "a.example"))),
    some(domain(check("mixed", "equal", "a.example"))),
    every({ ...check("items", "equal", "n"), path: ["items", "note"] }),
    some({ ...check("items", "equal", "n"), path: ["items", "note"] }),
    amount("less", 9),
    every(inside("urls", check("lines", "equal", "a"))),
    inside("urls", check("body", "equal", "https://a.example/x")),
    count(check("path", "less", 9)),
    count(inside("urls", check("links", "less", 9))),
    domain(check("path", "equal", "a.example")),
    check("lines", "startsWith", "3"),
    check("path", "endsWith", 3),
    orAbsent(check("path", "less", 5)),
    orAbsent({ ...check("path", "less", 5), path: ["path", "x"] }),
    check("cc", "equal", "x"),
  ],
} as const;

for (const [truth, conditions] of Object.entries(TRUTHS)) {
  for (const condition of conditions) {
    test(`${renderCondition(condition)}: ${truth}`, () => expect(evaluateConditions([condition], ARGS)).toBe(truth));
  }
}

test("the result is `holds` only if all conditions hold, and `unknown` if one cannot be evaluated", () => {
  const [holds] = TRUTHS.holds;
  const [fails] = TRUTHS.fails;
  const [unknown] = TRUTHS.unknown;
  expect(evaluateConditions([], ARGS)).toBe("holds");
  expect(evaluateConditions([holds, fails], ARGS)).toBe("fails");
  expect(evaluateConditions([holds, unknown], ARGS)).toBe("unknown");
  expect(evaluateConditions([fails, unknown], ARGS)).toBe("unknown");
  expect(evaluateConditions([unknown, fails], ARGS)).toBe("unknown");
});

test("`under` a file, with a maximum length of the path, holds for that file and for nothing below it", () => {
  const size: Condition = { ...check("path", "lessOrEqual", "/summary.txt".length), term: "size" };
  const truthOf = (path: string) => evaluateConditions([check("path", "under", "/summary.txt"), size], { path });
  for (const path of ["summary.txt", "/summary.txt", "summary.txt/"]) expect(truthOf(path)).toBe("holds");
  for (const path of ["summary.txt/a", "/summary.txt/a", "summary.tx", "summary.txt2"])
    expect(truthOf(path)).toBe("fails");
});
