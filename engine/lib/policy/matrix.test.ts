import { expect, test } from "vitest";
import type { Type } from "../wire/generated/policy.ts";
import { checkRecord } from "./arguments.ts";
import { canonicalizeArguments } from "./canonical-json.ts";
import { renderDecisionLine, renderDecisionMatrix, renderPlainArguments } from "./matrix.ts";
import { always, check, indexed, row, tool, where } from "./testing/sample.ts";

test("renders a line with the advertised mode, the decision and its rule for every row and tool", () => {
  const tables = indexed({
    tools: ["a.x", "b.x", "c.x", "d.x"].map((name) => tool(name)),
    decisions: [
      { clauses: [where([check("path", "equal", "locked")], "forbidden", "consent", 1)], floors: [] },
      { clauses: [always("forbidden")], floors: [] },
    ],
    rows: [row("operator", [2, 3, 0, 1]), row("operator", [3, 3, 3, 3], { task: "triage", phase: "look" })],
  });
  expect(renderDecisionMatrix(tables).slice(0, 6)).toEqual([
    "session\ttask\tphase\tworker\ttool\tadvertised\tstrictest\tdecided\trule",
    "operator\t-\t-\t-\ta.x\tconsent\tforbidden\tconsent\tthe second line",
    "operator\t-\t-\t-\tb.x\tforbidden\tforbidden\trefusedByPolicy\tthe first line",
    "operator\t-\t-\t-\tc.x\t-\t-\tunknownTool\t-",
    "operator\t-\t-\t-\td.x\t-\t-\tunknownTool\t-",
    "operator\ttriage\tlook\t-\ta.x\tforbidden\tforbidden\trefusedByPolicy\tthe first line",
  ]);
});

test("the smallest arguments that the matrix uses are valid for each kind of parameter", () => {
  const types: readonly Type[] = [
    { which: "boolean" },
    { which: "number" },
    { which: "integer", integer: { low: 3n, high: 9n } },
    { which: "integer", integer: { low: -9n, high: -3n } },
    { which: "text", text: { maxBytes: 1 } },
    { which: "choice", choice: ["b", "a"] },
    { which: "list", list: { which: "number" } },
    { which: "record", record: [{ name: "inner", type: { which: "boolean" }, required: true }] },
  ];
  const params = types.map((type, index) => ({ name: `p${index}`, type, required: index % 2 === 0 }));
  for (const list of [params, params.map((param) => ({ ...param, required: true }))]) {
    const args = canonicalizeArguments(renderPlainArguments(list));
    expect(args.ok && checkRecord(list, args.value.value)).toBeUndefined();
  }
  expect(renderPlainArguments(params)).toBe('{"p0":false,"p2":3,"p4":"","p6":[]}');
  const all = params.map((param) => ({ ...param, required: true }));
  const rest = '"p5":"b","p6":[],"p7":{"inner":false}';
  expect(renderPlainArguments(all)).toBe(`{"p0":false,"p1":0,"p2":3,"p3":-3,"p4":"",${rest}}`);
  const around: Type = { which: "integer", integer: { low: -9n, high: 9n } };
  expect(renderPlainArguments([{ name: "p", type: around, required: true }])).toBe('{"p":0}');
});

test.each<[string, Type, string]>([
  ["for any form", { which: "json", json: { maxBytes: 9, form: "any" } }, "null"],
  ["for an object", { which: "json", json: { maxBytes: 9, form: "object" } }, "{}"],
  ["for a list", { which: "json", json: { maxBytes: 9, form: "list" } }, "[]"],
  ["for the first of several shapes", { which: "either", either: [{ which: "number" }, { which: "boolean" }] }, "0"],
  ["for no shapes", { which: "either", either: [] }, "null"],
  ["for no choices", { which: "choice", choice: [] }, '""'],
  ["for a range from zero", { which: "integer", integer: { low: 0n, high: 9n } }, "0"],
  ["for a range up to zero", { which: "integer", integer: { low: -9n, high: 0n } }, "0"],
  ["for a range from one", { which: "integer", integer: { low: 1n, high: 9n } }, "1"],
  ["for a range below zero", { which: "integer", integer: { low: -9n, high: -1n } }, "-1"],
])("renders the expected smallest value %s", (_, type, value) => {
  expect(renderPlainArguments([{ name: "p", type, required: true }])).toBe(`{"p":${value}}`);
});

test("a line omits a missing tool, is empty if its row is missing, and has a dash for a missing rule", () => {
  const place = { task: "triage", phase: "look", worker: "digest" };
  const tables = indexed({ rows: [row("operator", [2], place)] });
  expect(renderDecisionLine(tables, { row: 0, tool: 0 })).toBe(
    "operator\ttriage\tlook\tdigest\tnotes.write\tauto\tauto\tauto\tthe first line",
  );
  expect(renderDecisionLine(tables, { row: 0, tool: 1 })).toBe("operator\ttriage\tlook\tdigest");
  expect(renderDecisionLine(tables, { row: 1, tool: 0 })).toBe("");
  expect(renderDecisionLine({ ...tables, rules: [] }, { row: 0, tool: 0 })).toMatch(/\tauto\t-$/);
});
