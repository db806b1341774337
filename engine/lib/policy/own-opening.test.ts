import { expect, test } from "vitest";
import type { Decision, Tool } from "../wire/generated/policy.ts";
import { renderChange } from "./change-words.ts";
import { listOwnOpenings } from "./own-opening.ts";
import { always, check, indexed, PUBLIC, row, SECRET, tool, where } from "./testing/sample.ts";

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
  const found = listOwnOpenings(old, now, "notes.write").map(renderChange);
  expect(found.length).toBeLessThan(2);
  return found[0];
}

const under = check("path", "under", "/b");
const isA = check("path", "equal", "a");

test("a looser rule without conditions loosens the decision about calls with any arguments", () => {
  expect(opened([always("forbidden")], [always("consent")])).toBe(
    "operator notes.write: forbidden → consent, with any arguments",
  );
});

test("a looser rule with conditions loosens the decision about calls with other arguments that meet the conditions", () => {
  expect(opened([where([under], "forbidden", "forbidden")], [where([under], "consent", "forbidden")])).toBe(
    'operator notes.write: forbidden → consent where path under "/b" else forbidden, with other arguments',
  );
});

test("no other call is decided more loosely if the tool's rules have the same effect, or the tool takes no arguments", () => {
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

test("reports that a new release opens a tool for data that was refused, even if a rule also changes", () => {
  const release = { act: "declassify", tools: [0], from: SECRET, to: PUBLIC, gate: "stepUp", rule: 0 } as const;
  const side = (mode: "forbidden" | "consent", releases: number[], clauses = [always(mode)]) => {
    const tables = indexed({
      tools: [tool("notes.write", { sink: PUBLIC })],
      decisions: [{ clauses, floors: [] }],
      rows: [row("operator", [2], { releases })],
      releases: [release],
    });
    const [first] = tables.rows;
    if (first === undefined) throw new Error("the tables have no row");
    return { tables, row: first };
  };
  const released =
    "operator notes.write: refusedByPolicy, for data at secret → stepUp by a release, with any arguments";
  const list = (...sides: [ReturnType<typeof side>, ReturnType<typeof side>]) =>
    listOwnOpenings(...sides, "notes.write").map(renderChange);
  expect(list(side("consent", []), side("consent", [0]))).toEqual([released]);
  expect(list(side("forbidden", []), side("consent", [0]))).toEqual([
    "operator notes.write: forbidden → consent, with any arguments",
    released.replace("refusedByPolicy", "forbidden"),
  ]);
  expect(list(side("consent", [0]), side("consent", [0]))).toEqual([]);
  // The text of the change states a condition on the arguments, so "with any arguments" is not added to it.
  const limited = [where([under], "consent", "forbidden")];
  expect(list(side("consent", [], limited), side("consent", [0], limited))).toEqual([
    'operator notes.write: refusedByPolicy, for data at secret → consent where path under "/b" else forbidden, at least stepUp, by a release',
  ]);
});
