// Tests tools whose name gets another meaning. If a session can do more with the tool than before, this is a widening,
// even if all decisions are equal.

import { expect, test } from "vitest";
import { type IndexedTables, indexTables } from "../../../engine/lib/policy/index.ts";
import { always, CATEGORY, indexed, row, SECRET, tables, tool } from "../../../engine/lib/policy/testing/sample.ts";
import type { PolicyTables, Quota, Tool, Type } from "../../../engine/lib/wire/generated/policy.ts";
import { computeDifference } from "./diff.ts";

const TEXT: Type = { which: "text", text: { maxBytes: 64 } };
const text = (maxBytes: number): Type => ({ which: "text", text: { maxBytes } });
const params = (type: Type, required = true) => ({ params: [{ name: "path", type, required }] });
const integer = (low: bigint, high: bigint): Type => ({ which: "integer", integer: { low, high } });
const choice = (...words: readonly string[]): Type => ({ which: "choice", choice: words });
const json = (form: "any" | "object", maxBytes: number): Type => ({ which: "json", json: { form, maxBytes } });
const either = (...types: readonly Type[]): Type => ({ which: "either", either: types });
const NUMBER: Type = { which: "number" };
const QUOTA: Quota = { amount: 5n, unit: "category", name: "destructive", scope: "turn", rule: 0 };

function told(before: PolicyTables, after: PolicyTables): readonly string[] {
  const side = (made: PolicyTables) => {
    const read = indexTables(made);
    if (!read.ok) throw new Error(read.reason);
    return { tables: read.value, machine: undefined, flows: undefined };
  };
  return computeDifference(side(before), side(after)).facts.map(
    ({ direction, widens, what, places }) => `${direction}${widens ? "!" : ""} ${places.join(", ")}: ${what}`,
  );
}

const withTool = (changes: Partial<Tool>, more: Partial<PolicyTables> = {}) =>
  tables({ tools: [tool("notes.write", changes)], ...more });
const counted = { rows: [row("operator", [2], { quotas: [QUOTA] })] };
const remembering = { rows: [row("operator", [2], { remember: "turn" })] };

test.each<[string, Partial<Tool>, Partial<Tool>, Partial<PolicyTables>, readonly string[]]>([
  ["another method", {}, { method: 1 }, {}, ["moved! tool notes.write: method"]],
  ["another interface", {}, { interfaceId: 7n }, {}, ["moved! tool notes.write: method"]],
  ["another name of the method", {}, { methodName: "put" }, {}, ["moved tool notes.write: method"]],
  ["another service", {}, { provider: "other" }, {}, ["moved! tool notes.write: provider"]],
  ["another description for models", {}, { description: "x" }, {}, ["moved tool notes.write: description"]],
  ["another schema of the same arguments", {}, { paramSchema: "{ }" }, {}, ["moved tool notes.write: arguments"]],
  [
    "an argument that accepts longer texts",
    params(TEXT),
    params(text(65)),
    {},
    ["widened! tool notes.write: arguments"],
  ],
  [
    "an argument that accepts texts of any length",
    params(TEXT),
    params(text(0)),
    {},
    ["widened! tool notes.write: arguments"],
  ],
  [
    "an argument that accepts only shorter texts",
    params(text(0)),
    params(TEXT),
    {},
    ["narrowed tool notes.write: arguments"],
  ],
  [
    "an argument that accepts any text instead of a choice of words",
    params(choice("a", "b")),
    params(TEXT),
    {},
    ["widened! tool notes.write: arguments"],
  ],
  [
    "a choice with one word fewer",
    params(choice("a", "b")),
    params(choice("a")),
    {},
    ["narrowed tool notes.write: arguments"],
  ],
  ["a higher bound", params(integer(0n, 9n)), params(integer(0n, 10n)), {}, ["widened! tool notes.write: arguments"]],
  ["a lower bound", params(integer(0n, 9n)), params(integer(-1n, 8n)), {}, ["moved! tool notes.write: arguments"]],
  [
    "an argument that becomes optional",
    params(TEXT),
    params(TEXT, false),
    {},
    ["widened! tool notes.write: arguments"],
  ],
  ["a new optional argument", { params: [] }, params(TEXT, false), {}, ["widened! tool notes.write: arguments"]],
  ["a new required argument", { params: [] }, params(TEXT), {}, ["moved! tool notes.write: arguments"]],
  ["a removed argument", params(TEXT, false), { params: [] }, {}, ["narrowed tool notes.write: arguments"]],
  [
    "an argument that accepts any JSON instead of a text",
    params(TEXT),
    params(json("any", 0)),
    {},
    ["widened! tool notes.write: arguments"],
  ],
  [
    "JSON of more bytes",
    params(json("any", 64)),
    params(json("any", 65)),
    {},
    ["widened! tool notes.write: arguments"],
  ],
  [
    "an argument that accepts only objects instead of any JSON",
    params(json("any", 64)),
    params(json("object", 64)),
    {},
    ["narrowed tool notes.write: arguments"],
  ],
  [
    "an argument that accepts only a number instead of any JSON",
    params(json("any", 64)),
    params(NUMBER),
    {},
    ["narrowed tool notes.write: arguments"],
  ],
  [
    "an argument that accepts one more type",
    params(TEXT),
    params(either(TEXT, NUMBER)),
    {},
    ["widened! tool notes.write: arguments"],
  ],
  [
    "an argument that accepts one type fewer",
    params(either(TEXT, NUMBER)),
    params(NUMBER),
    {},
    ["narrowed tool notes.write: arguments"],
  ],
  [
    "an argument in which one of two types is replaced",
    params(either(TEXT, NUMBER)),
    params(either(TEXT, { which: "boolean" })),
    {},
    ["moved! tool notes.write: arguments"],
  ],
  [
    "longer texts in lists of records",
    params({ which: "list", list: { which: "record", record: params(TEXT).params } }),
    params({ which: "list", list: { which: "record", record: params(text(0)).params } }),
    {},
    ["widened! tool notes.write: arguments"],
  ],
  [
    "a category that a quota does not count",
    { category: CATEGORY.payments },
    {},
    counted,
    ["widened! tool notes.write: category"],
  ],
  [
    "another category that the quota counts",
    { category: CATEGORY.payments },
    { category: CATEGORY.destructive },
    counted,
    ["moved tool notes.write: category"],
  ],
  [
    "another category of the same effect, counted by no quota",
    { category: CATEGORY.payments },
    {},
    {},
    ["moved tool notes.write: category"],
  ],
  [
    "a category whose consent may hold for several calls",
    { category: CATEGORY.payments },
    {},
    remembering,
    ["widened! tool notes.write: category"],
  ],
  [
    "a read-only category, whose arguments are not checked",
    {},
    { category: CATEGORY.readOnly, readOnly: true },
    {},
    ["widened! tool notes.write: category"],
  ],
  [
    "a read-only tool without its network",
    { category: CATEGORY.readOnly, readOnly: true, networked: true },
    { category: CATEGORY.readOnly, readOnly: true, networked: false },
    {},
    ["moved! tool notes.write: network"],
  ],
  ["a tool that no longer uses the network", { networked: true }, {}, {}, ["narrowed tool notes.write: network"]],
  ["a tool that now uses the network", {}, { networked: true }, {}, ["widened! tool notes.write: network"]],
  [
    "a program of the page instead of the runtime",
    {},
    { pageProgram: true },
    {},
    ["widened! tool notes.write: program"],
  ],
  [
    "a program of the runtime instead of the page",
    { pageProgram: true },
    {},
    {},
    ["narrowed tool notes.write: program"],
  ],
  [
    "the gate's own result limit in place of a higher one",
    { truncateBytes: 40_000 },
    {},
    {},
    ["narrowed tool notes.write: result"],
  ],
  ["a higher result limit", { truncateBytes: 1000 }, {}, {}, ["widened! tool notes.write: result"]],
  [
    "less secret results",
    { result: { low: SECRET, high: SECRET } },
    {},
    {},
    ["widened! tool notes.write: result from", "widened! tool notes.write: result up to"],
  ],
  ["a field that is no longer masked", { redact: ["key"] }, {}, {}, ["widened! tool notes.write: masked key"]],
])("a tool change is reported: %s", (_, before, after, more, facts) => {
  expect(told(withTool(before, more), withTool(after, more))).toEqual(facts);
});

test("a change of a tool that no session can call is not a widening", () => {
  const hidden = { rows: [row("operator", [1])] };
  const forbidden = { decisions: [{ clauses: [always("forbidden")], floors: [] }] };
  for (const more of [hidden, forbidden]) {
    expect(told(withTool({}, more), withTool({ method: 1, redact: [] }, more))).toEqual([
      "moved tool notes.write: method",
    ]);
  }
});

test("a category with another parent is reported once", () => {
  const { categories }: IndexedTables = indexed();
  const moved = categories.map((one) => (one.name === "payments" ? { ...one, parent: CATEGORY.mutatingLocal } : one));
  const more = { ...counted, tools: [tool("notes.write", { category: CATEGORY.payments })] };
  expect(told(tables(more), tables({ ...more, categories: moved }))).toEqual(["widened! : category payments"]);
});
