import { expect, test } from "vitest";
import type { Condition, PolicyTables, Quota } from "../wire/generated/policy.ts";
import { changeWords, chooseReleaseGate, releaseLine, renderChange } from "./change-words.ts";
import { diffTables } from "./difference.ts";
import { always, check, indexed, PUBLIC, row, SECRET, tables, tool, where } from "./testing/sample.ts";

const quota = (amount: bigint, rule: number, changes: Partial<Quota> = {}): Quota => ({
  ...{ amount, unit: "calls", name: "", scope: "turn", rule },
  ...changes,
});
const moved = (before: Partial<PolicyTables>, after: Partial<PolicyTables>) =>
  diffTables(indexed(before), indexed(after)).map(renderChange);
const release = { act: "declassify", tools: [0], from: SECRET, to: PUBLIC, gate: "stepUp", rule: 0 } as const;
const floor = {
  conditions: [],
  confidentialityAtLeast: 0,
  integrityAtMost: 255,
  compartments: 0n,
  unattended: true,
  rule: 0,
};
const small: Condition = { ...check("path", "lessOrEqual", 4), term: "size" };
const isA = check("path", "equal", "a");
/** A tool to which only public data flows without a release. */
const OPEN = tool("notes.write", { sink: PUBLIC });
const ASKED = [{ clauses: [always("consent")], floors: [] }];
const LOOK = { task: "triage", phase: "look" };

test.each<[string, Partial<PolicyTables>, Partial<PolicyTables>, readonly string[]]>([
  ["none", {}, {}, []],
  ["none for another rule with the same mode", {}, { decisions: [{ clauses: [always("auto", 1)], floors: [] }] }, []],
  ["another mode", {}, { decisions: ASKED }, ["operator notes.write: auto → consent"]],
  ["a tool that is hidden", {}, { rows: [row("operator", [1])] }, ["operator notes.write: auto → unknownTool"]],
  [
    "a condition",
    { decisions: ASKED },
    { decisions: [{ clauses: [where([check("path", "equal", "a")], "auto", "consent")], floors: [] }] },
    ['operator notes.write: consent → auto where path == "a" else consent'],
  ],
  [
    "an else that a task shares with other rules",
    { decisions: [{ clauses: [where([small], "auto", "consent"), where([isA], "auto", "consent")], floors: [] }] },
    { decisions: [{ clauses: [where([small], "auto", "consent"), where([isA], "auto", "auto")], floors: [] }] },
    [
      'operator notes.write: auto where size(path) <= 4 else consent; auto where path == "a" else consent' +
        ' → auto where size(path) <= 4 else consent; auto where path == "a" else auto',
    ],
  ],
  [
    "none for a tool in another place",
    {},
    { tools: [tool("notes.list"), tool("notes.write")], rows: [row("operator", [1, 2])] },
    [],
  ],
  [
    "a phase",
    { rows: [row("operator", [2]), row("operator", [2], LOOK)] },
    { rows: [row("operator", [2]), row("operator", [1], LOOK)] },
    ["operator.triage.look notes.write: auto → unknownTool"],
  ],
  [
    "a worker with the name of a task",
    { rows: [row("operator", [2], { task: "helper" }), row("operator", [2], { worker: "helper" })] },
    { rows: [row("operator", [1], { task: "helper" }), row("operator", [2], { worker: "helper" })] },
    ["operator.helper notes.write: auto → unknownTool"],
  ],
  [
    "none for a task with the name of a worker",
    { rows: [row("operator", [2], { task: "helper" }), row("operator", [1], { worker: "helper" })] },
    { rows: [row("operator", [2], { task: "helper" }), row("operator", [1], { worker: "helper" })] },
    [],
  ],
  ["none for a new row", {}, { rows: [row("operator", [2]), row("visitor", [2])] }, []],
  [
    "a release of the tool",
    { tools: [OPEN], releases: [release] },
    { tools: [OPEN], releases: [release], rows: [row("operator", [2], { releases: [0] })] },
    ["operator notes.write: refusedByPolicy, for data at secret → stepUp by a release"],
  ],
  [
    "a release of a tool that asks, and none for a release that lets nothing through",
    { tools: [OPEN], releases: [release], decisions: ASKED },
    {
      tools: [OPEN],
      releases: [
        { ...release, gate: "consent" },
        { ...release, from: PUBLIC },
      ],
      decisions: ASKED,
      rows: [row("operator", [2], { releases: [0, 1] })],
    },
    ["operator notes.write: refusedByPolicy, for data at secret → consent by a release"],
  ],
  [
    "a release of a tool with a condition",
    { tools: [OPEN], releases: [release], decisions: [{ clauses: [where([small], "auto", "consent")], floors: [] }] },
    {
      tools: [OPEN],
      releases: [release],
      decisions: [{ clauses: [where([small], "auto", "consent")], floors: [] }],
      rows: [row("operator", [2], { releases: [0] })],
    },
    [
      "operator notes.write: refusedByPolicy, for data at secret → " +
        "auto where size(path) <= 4 else consent, at least stepUp, by a release",
    ],
  ],
  [
    "an endorsement, which makes nothing less secret",
    { tools: [OPEN] },
    {
      tools: [OPEN],
      releases: [{ ...release, act: "endorse", from: { ...SECRET, integrity: 0 } }],
      rows: [row("operator", [2], { releases: [0] })],
    },
    ["operator notes.write: refusedByPolicy, for data at public/untrusted → stepUp by a release"],
  ],
  [
    "none for a release of a tool that a line forbids",
    { tools: [OPEN], releases: [release], decisions: [{ clauses: [always("forbidden")], floors: [] }] },
    {
      tools: [OPEN],
      releases: [release],
      decisions: [{ clauses: [always("forbidden")], floors: [] }],
      rows: [row("operator", [2], { releases: [0] })],
    },
    [],
  ],
  [
    "none for a release to where data may flow without one",
    { releases: [release] },
    { releases: [release], rows: [row("operator", [2], { releases: [0] })] },
    [],
  ],
  [
    "a line that displaces another, although its modes are equal",
    { decisions: [{ clauses: [where([small], "forbidden", "consent")], floors: [] }] },
    {
      decisions: [
        { clauses: [where([small], "forbidden", "consent"), where([small, isA], "consent", "consent")], floors: [] },
      ],
    },
    [
      "operator notes.write: forbidden where size(path) <= 4 else consent → forbidden where size(path) <= 4 else consent; " +
        'consent where size(path) <= 4 and path == "a" else consent',
    ],
  ],
  [
    "one of several equal lines",
    { decisions: [{ clauses: [always("consent"), always("forbidden"), always("forbidden", 1)], floors: [] }] },
    { decisions: [{ clauses: [always("consent"), always("consent"), always("forbidden", 1)], floors: [] }] },
    ["operator notes.write: consent; forbidden; forbidden → consent; consent; forbidden"],
  ],
  [
    "none for a release without tools",
    {},
    { releases: [{ ...release, tools: [] }], rows: [row("operator", [2], { releases: [0] })] },
    [],
  ],
  [
    "a quota, by its unit, its scope and its position among equals",
    {
      rows: [row("operator", [2], { quotas: [quota(1n, 0), quota(2n, 1), quota(3n, 2, { scope: "day" })] })],
      ...threeRules(),
    },
    {
      rows: [row("operator", [2], { quotas: [quota(1n, 0), quota(5n, 1), quota(3n, 2, { scope: "day" })] })],
      ...threeRules(),
    },
    ["operator line 1: 2 → 5"],
  ],
  [
    "a quota after one with another unit",
    { ...threeRules(), rows: [row("operator", [2], { quotas: [quota(1n, 0, { unit: "prompts" }), quota(2n, 1)] })] },
    { ...threeRules(), rows: [row("operator", [2], { quotas: [quota(1n, 0, { unit: "prompts" }), quota(5n, 1)] })] },
    ["operator line 1: 2 → 5"],
  ],
  ["none for a new quota", {}, { rows: [row("operator", [2], { quotas: [quota(1n, 0)] })] }, []],
])("reports the differences of two tables: %s", (_, before, after, words) => {
  expect(moved(before, after)).toEqual(words);
});

test.each<[string, Partial<PolicyTables>, Partial<PolicyTables>, readonly string[]]>([
  [
    "a release from other compartments",
    { tools: [OPEN], releases: [release], rows: [row("operator", [2], { releases: [0] })] },
    {
      tools: [OPEN],
      releases: [{ ...release, from: { ...SECRET, compartments: 1n } }],
      rows: [row("operator", [2], { releases: [0] })],
    },
    ["operator notes.write: refusedByPolicy, for data at secret:{finance} → stepUp by a release"],
  ],
  [
    "an unattended floor",
    { decisions: [{ clauses: [always("auto")], floors: [{ ...floor, mode: "consent" }] }] },
    { decisions: [{ clauses: [always("auto")], floors: [{ ...floor, mode: "stepUp" }] }] },
    ["operator notes.write: auto; at least consent under a `when` → auto; at least stepUp under a `when`"],
  ],
  [
    "a tool that is new, the first and the last",
    { tools: [tool("b.x"), tool("c.x")], rows: [row("operator", [2, 2])] },
    { tools: ["a.x", "b.x", "c.x", "d.x"].map((name) => tool(name)), rows: [row("operator", [2, 2, 2, 2])] },
    ["operator a.x: unknownTool → auto", "operator d.x: unknownTool → auto"],
  ],
  [
    "quotas in another order, named by their former rule",
    { ...threeRules(), rows: [row("operator", [2], { quotas: [quota(1n, 0), quota(2n, 1, { unit: "prompts" })] })] },
    { rows: [row("operator", [2], { quotas: [quota(5n, 0, { unit: "prompts" }), quota(1n, 1)] })] },
    ["operator line 1: 2 → 5"],
  ],
])("reports the differences of two tables: %s", (_, before, after, words) => {
  expect(moved(before, after)).toEqual(words);
});

test("reports a change if a copy of the tables has another release at the same index", () => {
  const rows = [row("operator", [2], { releases: [0, 1] })];
  const before = indexed({ tools: [OPEN], releases: [release, release], rows });
  const other = { ...release, gate: "consent" as const };
  for (const releases of [
    [other, release],
    [release, other],
  ]) {
    expect(diffTables(before, { ...before, releases }).map(renderChange)).toEqual([
      "operator notes.write: stepUp by a release, for data at secret → consent by a release",
    ]);
  }
  const fewer = { ...before, rows: [row("operator", [2], { releases: [] })] };
  expect(diffTables(before, fewer)).toHaveLength(1);
  // If two releases are equal, removing one of them changes nothing.
  expect(diffTables(before, { ...before, rows: [row("operator", [2], { releases: [0] })] })).toEqual([]);
  expect(diffTables(before, { ...before })).toEqual([]);
});

function threeRules(): Pick<PolicyTables, "rules"> {
  return { rules: [0, 1, 2].map((at) => ({ id: `${at}`, words: `line ${at}`, place: `a.cap:${at}:1` })) };
}

test("the description of a least change has the new decision, the edits, and what else they open or narrow", () => {
  const head = "least change, after which the answer is auto:";
  const words = (edits: string[], opens: string[], narrows: string[] = [], isInTask = false) =>
    changeWords("auto", edits, { opens, narrows, isInTask });
  expect(words(["a becomes b"], [])).toEqual([head, "  a becomes b", "it opens nothing else"]);
  const opening = [head, "  a", "  b", "what else that opens:", "  c"];
  expect(words(["a", "b"], ["c"])).toEqual(opening);
  const narrowing = [...opening, "what that narrows:", "  d"];
  expect(words(["a", "b"], ["c"], ["d"], true)).toEqual(narrowing);
  expect(words(["a", "b"], ["c"], ["d"])).toEqual([
    ...narrowing,
    "if both lines stand in a task, they change only this task",
  ]);
});

test("renders a release as a rule of the page; an endorsement also raises integrity", () => {
  const { lattice } = tables();
  const asked = {
    tool: "notes.write",
    session: "operator",
    from: { ...SECRET, compartments: 3n },
    to: PUBLIC,
    gate: "stepUp",
  } as const;
  const rest = 'by stepUp for operator because "say why"';
  expect(releaseLine(lattice, "declassify", asked)).toBe(
    `declassify notes.write from secret:{finance, hr} to public ${rest}`,
  );
  expect(releaseLine(lattice, "endorse", asked)).toBe(
    `endorse notes.write from secret:{finance, hr} to public/reviewed ${rest}`,
  );
  expect(releaseLine(lattice, "declassify", { ...asked, gate: "consent" })).toContain(" by consent for ");
  expect([[], [0]].map((principals) => chooseReleaseGate({ principals }))).toEqual(["consent", "stepUp"]);
});
