import { expect, test } from "vitest";
import { evaluateConditions } from "./condition.ts";
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
};

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
  ],
} as const;

for (const [truth, conditions] of Object.entries(TRUTHS)) {
  for (const condition of conditions) {
    const { path, term, operator, literals } = condition;
    const words = `${term} of ${path.join(".")} ${operator} ${JSON.stringify(literals)}`;
    test(`${words}: ${truth}`, () => expect(evaluateConditions([condition], ARGS)).toBe(truth));
  }
}

test("all must hold, and one that cannot be evaluated makes all of them unknown", () => {
  const [holds] = TRUTHS.holds;
  const [fails] = TRUTHS.fails;
  const [unknown] = TRUTHS.unknown;
  expect(evaluateConditions([], ARGS)).toBe("holds");
  expect(evaluateConditions([holds, fails], ARGS)).toBe("fails");
  expect(evaluateConditions([holds, unknown], ARGS)).toBe("unknown");
  expect(evaluateConditions([fails, unknown], ARGS)).toBe("unknown");
  expect(evaluateConditions([unknown, fails], ARGS)).toBe("unknown");
});
