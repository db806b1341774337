import fc from "fast-check";
import { expect, test } from "vitest";
import { PolicyTables as layout, type PolicyTables } from "../wire/generated/policy.ts";
import { encodeMessage } from "../wire/index.ts";
import { indexTables, readTables } from "./tables.ts";
import { anyTables } from "./testing/arbitrary.ts";
import { always, backend, check, indexed, PUBLIC, row, tables, tool, where } from "./testing/sample.ts";

const rule99 = { ...always("auto"), rule: 99 };
const decision = (...clauses: ReturnType<typeof always>[]) => ({ decisions: [{ clauses, floors: [] }] });
const quota = { amount: 1n, unit: "calls", name: "", scope: "turn", rule: 0 } as const;
const floor = {
  confidentialityAtLeast: 0,
  integrityAtMost: 255,
  compartments: 0n,
  unattended: false,
  mode: "auto",
  rule: 9,
} as const;

const release = { tools: [0], act: "declassify", from: PUBLIC, to: PUBLIC, gate: "consent", rule: 0 } as const;

/** Each is wrong in exactly one way. */
const WRONG: Readonly<Record<string, [changes: Partial<PolicyTables>, reason: RegExp]>> = {
  "a version of another time": [{ schemaVersion: 7 }, /version 7.* knows 2 only/],
  "no levels": [{ lattice: { confidentiality: [], integrity: ["a"], compartments: [] } }, /no levels/],
  "a parent that is not there": [{ categories: [{ name: "readOnly", parent: 4 }] }, /parent that is not there/],
  "a category above itself": [
    {
      categories: [
        { name: "a", parent: 1 },
        { name: "b", parent: 0 },
      ],
    },
    /its own ancestor/,
  ],
  "a tool without its category": [{ tools: [tool("notes.write", { category: 9 })] }, /category 9 is not there/],
  "a sink at no level": [
    { tools: [tool("notes.write", { sink: { ...PUBLIC, confidentiality: 3 } })] },
    /confidentiality level 3/,
  ],
  "a compartment that nobody named": [
    { tools: [tool("notes.write", { sink: { ...PUBLIC, compartments: 4n } })] },
    /compartment/,
  ],
  "tools out of order": [
    { tools: [tool("b.x"), tool("a.x")], rows: [row("operator", [2, 2])] },
    /order of names at a\.x/,
  ],
  "a tool twice": [{ tools: [tool("a.x"), tool("a.x")], rows: [row("operator", [2, 2])] }, /order of names/],
  "a decision that says nothing": [decision(), /no clauses/],
  "a clause of no rule": [decision(rule99), /rule 99 is not there/],
  "a floor of no rule": [{ decisions: [{ clauses: [always("auto")], floors: [floor] }] }, /rule 9 is not there/],
  "a condition on nothing": [
    decision(where([{ ...check("a", "equal", 1), path: [] }], "auto", "consent")),
    /no argument/,
  ],
  "a condition without literal": [decision(where([check("a", "in")], "auto", "consent")), /nothing to compare/],
  "two literals for one": [decision(where([check("a", "equal", 1, 2)], "auto", "consent")), /more than one/],
  "an order of texts": [decision(where([check("a", "less", "b")], "auto", "consent")), /order/],
  "a directory that climbs": [decision(where([check("a", "under", "/a/../b")], "auto", "consent")), /no path/],
  "an origin with a path": [
    decision(where([{ ...check("a", "equal", "https://a.example/x"), term: "origin" }], "auto", "consent")),
    /no origin/,
  ],
  "a size in words": [decision(where([{ ...check("a", "equal", "x"), term: "size" }], "auto", "consent")), /size/],
  "a decimal in exponent form": [
    decision(where([{ ...check("a", "less"), literals: [{ which: "decimal", decimal: "1e3" }] }], "auto", "consent")),
    /exact decimal/,
  ],
  "too few cells": [{ rows: [row("operator", [])] }, /0 cells for 1 tools/],
  "a cell beyond the decisions": [{ rows: [row("operator", [3])] }, /cell value 3/],
  "a principal of nobody": [{ rows: [row("operator", [2], { principals: [0] })] }, /principal 0/],
  "a backend that is not there": [
    { rows: [row("operator", [2], { backends: [{ backend: 1, mode: "auto" }] })] },
    /backend 1/,
  ],
  "a clearance at no level": [
    { rows: [row("operator", [2], { clearance: { ...PUBLIC, integrity: 3 } })] },
    /integrity level 3/,
  ],
  "a quota of no rule": [{ rows: [row("operator", [2], { quotas: [{ ...quota, rule: 5 }] })] }, /rule 5/],
  "a quota on no category": [
    { rows: [row("operator", [2], { quotas: [{ ...quota, unit: "category", name: "x" }] })] },
    /no category x/,
  ],
  "a release without a gate": [{ releases: [{ ...release, gate: "auto" }] }, /release 0: its gate is auto/],
  "a release that forbids": [{ releases: [{ ...release, gate: "forbidden" }] }, /its gate is forbidden/],
  "a release of no tool": [{ releases: [{ ...release, tools: [1] }] }, /tool 1 is not there/],
  "a release to no level": [{ releases: [{ ...release, to: { ...PUBLIC, integrity: 3 } }] }, /integrity level 3/],
  "a release by no line": [{ releases: [{ ...release, rule: 7 }] }, /rule 7/],
  "a row with a release that is not there": [{ rows: [row("operator", [2], { releases: [0] })] }, /release 0 is not/],
  "a row that nobody may enter": [{ rows: [row("operator", [2], { entry: "forbidden" })] }, /nobody may enter/],
  "a gate before a row by no line": [{ rows: [row("operator", [2], { entry: "consent", entryRule: 7 })] }, /rule 7/],
  "two phases at one place": [
    { rows: ["look", "mend"].map((phase) => row("operator", [2], { task: "t", phase })) },
    /phase operator\/t\/\/0 stands twice/,
  ],
  "an ingress into no row": [
    { ingresses: [{ name: "desk", source: "mail", address: "", row: 1, label: PUBLIC }] },
    /ingress desk: row 1/,
  ],
  "an ingress at no level": [
    { ingresses: [{ name: "desk", source: "mail", address: "", row: 0, label: { ...PUBLIC, integrity: 9 } }] },
    /integrity level 9/,
  ],
  "a backend's quota of no rule": [
    { backends: [backend("b", { quotas: [{ ...quota, rule: 5 }] })] },
    /backend b: rule 5/,
  ],
  "one line for two quotas": [
    { rows: [row("operator", [2], { quotas: [quota, { ...quota, scope: "day" }] })] },
    /rule 0 stands for two quotas of session operator/,
  ],
  "a row twice": [{ rows: [row("operator", [2]), row("operator", [2])] }, /stands twice/],
};

for (const [what, [changes, reason]] of Object.entries(WRONG)) {
  test(`tables are refused: ${what}`, () => {
    expect(indexTables(tables(changes))).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });
}

test("a category knows all its ancestors", () => {
  expect(indexed().lineage[3]).toEqual(new Set(["payments", "destructive"]));
});

test("law: what was encoded is read back equal", () => {
  fc.assert(
    fc.property(anyTables, (sample) => {
      const read = readTables(encodeMessage(layout, sample));
      expect(read).toMatchObject({ ok: true, value: sample });
    }),
  );
});

test("law: bytes that were changed are refused or read as tables that hang together, and nothing is thrown", () => {
  fc.assert(
    fc.property(anyTables, fc.nat(), fc.nat(255), (sample, at, byte) => {
      const bytes = encodeMessage(layout, sample);
      bytes[at % bytes.length] = byte;
      const read = readTables(bytes);
      if (read.ok) expect(indexTables(read.value).ok).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
