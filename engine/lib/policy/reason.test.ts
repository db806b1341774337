import { expect, test } from "vitest";
import type { PermissionMode } from "./mode.ts";
import { citeRule, explainTasklessness, isByElse, renderReason, renderReleaseReason } from "./reason.ts";
import { indexed, PUBLIC, row } from "./testing/sample.ts";

const HARD = 'forbidden a.x where path == "b" else consent because "ask first"';
const SOFT = "auto a.x where to from person else consent";
const SPREAD = "widen auto a.x where b\n else stepUp";
const NESTED = 'forbidden a.x where path == "x because " because "he said \\"no\\""';
const WORDS = [
  HARD,
  SOFT,
  SPREAD,
  "auto a.x",
  "declassify a.x",
  "consent a.x else because",
  NESTED,
  'auto a.x where b == " because "',
];
const tables = indexed({
  rules: WORDS.map((words, at) => ({ id: `${at}`, words, place: "a.cap:1:1" })),
  rows: [row("operator", [2]), ...["pay", "look"].map((task) => row("operator", [2], { task }))],
});

test.each<[string, PermissionMode, boolean]>([
  [HARD, "forbidden", false],
  [HARD, "consent", true],
  [HARD, "stepUp", false],
  [SOFT, "auto", false],
  [SOFT, "consent", true],
  [SPREAD, "stepUp", true],
  [SPREAD, "auto", false],
  ["forbidden a.x", "consent", true],
  ["declassify a.x else consent", "consent", false],
])("the else of the rule %s gave the mode %s: %s", (words, mode, isElse) => {
  expect(isByElse(words, mode)).toBe(isElse);
});

test.each<[PermissionMode, number, string]>([
  ["consent", 0, 'the else of "forbidden a.x where path == "b" else consent" because "ask first"'],
  ["forbidden", 0, '"forbidden a.x where path == "b" else consent" because "ask first"'],
  ["consent", 1, `the else of "${SOFT}"`],
  ["stepUp", 2, `the else of "${SPREAD}"`],
  ["consent", 2, `"${SPREAD}", with words that an outsider may have chosen`],
  ["auto", 3, '"auto a.x"'],
  ["consent", 4, '"declassify a.x"'],
  ["consent", 5, '"consent a.x else because"'],
  ["forbidden", 6, '"forbidden a.x where path == "x because "" because "he said \\"no\\""'],
  ["auto", 7, '"auto a.x where b == " because ""'],
])(
  "a reason with the mode %s cites the rule %i, and then the reason that the rule itself gives",
  (mode, rule, words) => {
    expect(citeRule(tables, { mode, rule })).toBe(words);
    expect(renderReason(tables, { mode, rule })).toBe(`${mode} by ${words}`);
  },
);

test("the reason of a released call cites the rule of the release, and the rule of the gate if it is another one", () => {
  const release = { tools: [0], act: "declassify", from: PUBLIC, to: PUBLIC, gate: "consent", rule: 4 } as const;
  const cite = (rule: number) => renderReleaseReason(tables, { mode: "consent", rule }, { index: 0, release });
  expect(cite(4)).toBe('consent, released by "declassify a.x"');
  expect(cite(3)).toMatch(/^consent by .*"auto a\.x".*, released by "declassify a\.x"$/);
});

test("names the tasks of a session that requires one", () => {
  expect(explainTasklessness(tables, { session: "operator" })).toBe(
    "session operator requires a task, and none has begun; a person begins one with /task NAME: pay, look",
  );
});
