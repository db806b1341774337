import { expect, test } from "vitest";
import type { PolicyTables, Redaction, Row } from "../wire/generated/policy.ts";
import { findTableFault } from "./coherence.ts";
import { always, check, PUBLIC, row, tables, tool, where } from "./testing/sample.ts";

const faultOf = (changes: Partial<PolicyTables>) => findTableFault(tables(changes));
const open = [always("auto")];
const shut = [always("forbidden")];
const decisions = [
  open,
  shut,
  [where([check("path", "equal", "a")], "forbidden", "auto")],
  [always("consent"), ...shut],
];
const list = decisions.map((clauses) => ({ clauses, floors: [] }));

test.each<[string, readonly number[], string | undefined]>([
  ["hidden and uncovered tools", [0, 1], undefined],
  ["a forbidden tool", [3, 0], undefined],
  ["a tool that its second rule forbids", [1, 5], undefined],
  ["a tool that runs", [1, 2], "row operator///: it requires a task, and a tool may run in it"],
  [
    "a tool that runs before one that does not run",
    [2, 1],
    "row operator///: it requires a task, and a tool may run in it",
  ],
  [
    "a tool that is forbidden for some arguments",
    [4, 1],
    "row operator///: it requires a task, and a tool may run in it",
  ],
])("refuses tables in which a tool may run outside of a required task: %s", (_, cells, fault) => {
  const rows = [row("operator", cells, { requiresTask: true }), row("operator", [2, 2], { task: "pay" })];
  expect(faultOf({ tools: [tool("a.x"), tool("b.x")], decisions: list, rows })).toBe(fault);
});

test.each<[string, readonly Row[], string | undefined]>([
  [
    "two sessions, of which one requires a task",
    [row("guest", [2]), row("operator", [1], { requiresTask: true }), row("operator", [2], { task: "pay" })],
    undefined,
  ],
  [
    "a worker of the session that requires one, too",
    [
      row("operator", [1], { requiresTask: true }),
      row("operator", [1], { requiresTask: true, worker: "digest" }),
      row("operator", [2], { task: "pay" }),
    ],
    undefined,
  ],
  [
    "only a worker that requires one",
    [
      row("operator", [1]),
      row("operator", [1], { requiresTask: true, worker: "digest" }),
      row("operator", [2], { task: "pay" }),
    ],
    "session operator requires a task in some rows alone",
  ],
  [
    "the task before its session",
    [row("operator", [2], { task: "pay" }), row("operator", [1], { requiresTask: true })],
    undefined,
  ],
])("all rows of a session must require a task if one does: %s", (_, rows, fault) => {
  expect(faultOf({ rows })).toBe(fault);
});

const mask = (name: string, changes: Partial<Redaction> = {}): Redaction => ({
  ...{ name, label: PUBLIC, patterns: ["####"], results: [], arguments: [] },
  ...changes,
});
const field = { tool: "notes.write", name: "path" };

test.each<[string, readonly Redaction[], string | undefined]>([
  ["by a pattern", [mask("a"), mask("b")], undefined],
  ["by a result only", [mask("a", { patterns: [], results: [field] })], undefined],
  ["by an argument only", [mask("a", { patterns: [], arguments: [field] })], undefined],
  ["the maximum number", Array.from({ length: 32 }, (_, at) => mask(`c${10 + at}`)), undefined],
  ["the maximum number of patterns", [mask("a", { patterns: Array.from({ length: 64 }, () => "####") })], undefined],
  [
    "more than the maximum number of patterns together",
    [mask("a", { patterns: Array.from({ length: 64 }, () => "####") }), mask("b")],
    "redactions have more than 64 patterns",
  ],
  [
    "more than the maximum number",
    Array.from({ length: 33 }, (_, at) => mask(`c${10 + at}`)),
    "more than 32 redactions",
  ],
  ["no target", [mask("a"), mask("b", { patterns: [] })], "redaction b: it names nothing to mask"],
  ["an invalid second pattern", [mask("a", { patterns: ["####", "#"] })], "redaction a: a text is not a pattern"],
  [
    "an argument of a missing tool",
    [mask("a", { results: [field], arguments: [field, { tool: "notes.x", name: "path" }] })],
    "redaction a: it names the tool notes.x, which is not there",
  ],
  [
    "a whole result",
    [mask("a", { results: [{ ...field, name: "" }] })],
    "redaction a: it names no field of notes.write",
  ],
  ["redactions out of order", [mask("b"), mask("a")], "redactions are not in strict order of names at a"],
])("checks each redaction of the tables: %s", (_, redactions, fault) => {
  expect(faultOf({ redactions })).toBe(fault);
});

test("refuses tables in which one rule belongs to two different quotas of a session", () => {
  const calls = { amount: 1n, unit: "calls", name: "", scope: "turn", rule: 0 } as const;
  const other = { ...calls, amount: 2n };
  const rowsOf = (session: string, quota: typeof calls | typeof other) => [
    row("operator", [2], { quotas: [calls] }),
    row(session, [2], { worker: "digest", quotas: [quota] }),
  ];
  const fault = "rule 0 stands for two quotas of session operator";
  expect(faultOf({ rows: rowsOf("operator", calls) })).toBeUndefined();
  expect(faultOf({ rows: rowsOf("operator", other) })).toBe(fault);
  expect(faultOf({ rows: rowsOf("guest", other) })).toBeUndefined();
});
