import { expect, test } from "vitest";
import type { Decision, Tool } from "../wire/generated/policy.ts";
import { describeOwnOpening } from "./own-opening.ts";
import { always, check, indexed, tool, where } from "./testing/sample.ts";

const PATH = tool("notes.write").params;
const CONTENT: Tool["params"] = [
  ...PATH,
  { name: "content", type: { which: "text", text: { maxBytes: 64 } }, required: true },
];

function opened(before: Decision["clauses"], after: Decision["clauses"], params = PATH) {
  const [old, now] = [before, after].map((clauses) => {
    const tables = indexed({ tools: [tool("notes.write", { params })], decisions: [{ clauses, floors: [] }] });
    const [first] = tables.rows;
    if (first === undefined) throw new Error("the tables have no row");
    return { tables, row: first };
  });
  if (old === undefined || now === undefined) throw new Error("two sides");
  const found = describeOwnOpening(old, now, "notes.write");
  return found && `${found.place} ${found.what}: ${found.before} → ${found.after}`;
}

const under = check("path", "under", "/b");
const isA = check("path", "equal", "a");

test("a changed rule without conditions loosens the decision about calls with any arguments", () => {
  expect(opened([always("forbidden")], [always("consent")])).toBe(
    "operator notes.write: forbidden → consent, with any arguments",
  );
});

test("a changed rule with conditions loosens the decision about calls with other arguments that meet the conditions", () => {
  expect(opened([where([under], "forbidden", "forbidden")], [where([under], "consent", "forbidden")])).toBe(
    'operator notes.write: forbidden → consent where path under "/b" else forbidden, with other arguments',
  );
});

test("no other call is decided more loosely if the tool is decided as before, or takes no arguments", () => {
  expect(opened([always("consent")], [always("consent", 1)])).toBeUndefined();
  expect(opened([always("forbidden")], [always("consent")], [])).toBeUndefined();
});

test("no other call is decided more loosely if the changed rule names the value of each argument", () => {
  const [before, after] = [where([isA], "forbidden", "consent"), where([isA], "auto", "consent")];
  expect(opened([before], [after])).toBeUndefined();
  const both = [isA, check("content", "equal", "x")];
  expect(opened([where(both, "forbidden", "consent")], [where(both, "auto", "consent")], CONTENT)).toBeUndefined();
});

const optional: Tool["params"] = PATH.map((param) => ({ ...param, required: false }));

test.each<[string, Decision["clauses"], Decision["clauses"], Tool["params"]]>([
  ["another argument is free", [where([isA], "forbidden", "consent")], [where([isA], "auto", "consent")], CONTENT],
  ["the else is looser, too", [where([isA], "forbidden", "stepUp")], [where([isA], "auto", "consent")], PATH],
  ["the argument may be absent", [where([isA], "forbidden", "consent")], [where([isA], "auto", "consent")], optional],
  [
    "another condition may be unknown",
    [where([isA], "forbidden", "consent"), where([under], "auto", "consent")],
    [where([isA], "auto", "consent"), where([under], "auto", "consent")],
    PATH,
  ],
  ["a line is added", [always("forbidden")], [always("forbidden"), where([isA], "auto", "consent")], PATH],
])("other calls may be decided more loosely if %s", (_, before, after, params) => {
  expect(opened(before, after, params)).toContain("with other arguments");
});
