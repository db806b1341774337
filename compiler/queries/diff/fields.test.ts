// Every field of the tables is told by some cell or fact, or means nothing: one that nobody looks at fails here.

import { expect, test } from "vitest";
import { type IndexedTables, indexTables } from "../../../engine/lib/policy/index.ts";
import {
  always,
  backend,
  check,
  HR,
  row,
  SECRET,
  tables,
  tool,
  where,
} from "../../../engine/lib/policy/testing/sample.ts";
import type { PolicyTables, Quota, Row, Type } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { computeDifference } from "./diff.ts";
import { leavesOf, othersThan } from "./testing/leaves.ts";

const TEXT: Type = { which: "text", text: { maxBytes: 64 } };
const QUOTA: Quota = { amount: 5n, unit: "category", name: "payments", scope: "turn", rule: 0 };
const TOOL = {
  params: [
    { name: "path", type: TEXT, required: true },
    { name: "count", type: { which: "integer", integer: { low: 1n, high: 9n } }, required: false },
    { name: "format", type: { which: "choice", choice: ["plain", "rich"] }, required: false },
    { name: "tags", type: { which: "list", list: TEXT }, required: false },
    {
      name: "options",
      type: { which: "record", record: [{ name: "depth", type: TEXT, required: false }] },
      required: true,
    },
  ],
  result: { low: { ...SECRET, compartments: HR }, high: { ...SECRET, compartments: HR } },
  redact: ["key"],
  truncateBytes: 1000,
} as const;
const CLAUSE = where([check("count", "less", 5), check("path", "in", "a", "b")], "auto", "consent");
const FLOOR = {
  confidentialityAtLeast: 1,
  integrityAtMost: 1,
  compartments: HR,
  unattended: true,
  mode: "stepUp",
  rule: 0,
} as const;
const RELEASE = { tools: [0], act: "declassify", from: SECRET, to: SECRET, gate: "consent", rule: 0 } as const;
const IN_TASK: Partial<Row> = {
  task: "triage",
  phase: "mend",
  ...{ principals: [0], backends: [{ backend: 0, mode: "consent" }], quotas: [QUOTA], releases: [0, 1] },
  ...{ login: "passphrase", loginRule: 0, remember: "turn", entry: "consent", entryRule: 0, phaseIndex: 1 },
  timeouts: { callMs: 100, turnMs: 200, loginMs: 300, idleMs: 250 },
};

/** Something in every list, and two of what indexes point to. */
function wholeTables(): PolicyTables {
  return structuredClone(
    tables({
      tools: [tool("notes.read", TOOL), tool("notes.write")],
      decisions: [
        { clauses: [CLAUSE], floors: [FLOOR] },
        { clauses: [always("consent")], floors: [] },
      ],
      rows: [
        row("operator", [2, 3], { ...IN_TASK, task: "", phase: "", phaseIndex: 0, entry: "auto" }),
        row("operator", [2, 3], { ...IN_TASK, phase: "look", phaseIndex: 0 }),
        row("operator", [2, 3], IN_TASK),
      ],
      backends: [
        backend("far", {
          quotas: [{ ...QUOTA, unit: "money", name: "EUR", scope: "day", rule: 1 }],
          currency: "EUR",
          inputMicros: 1n,
          outputMicros: 1n,
        }),
        backend("near"),
      ],
      principals: ["alice", "bob"].map((name) => ({ name, keys: [`ssh-ed25519 ${name}`], passphrase: name })),
      releases: [RELEASE, { ...RELEASE, tools: [1] }],
      ingresses: [{ name: "desk", source: "mail", address: "a@example.com", row: 0, label: SECRET }],
    }),
  );
}

/** Says nothing of what is decided. */
const MEANINGLESS = [
  /^version$/,
  /^rules\.\d+\.(words|place)$/,
  /[rR]ule$/,
  // A quota that the disk keeps is called by it (of rule 1).
  /^rules\.0\.id$/,
  // Where nothing is asked, where there is no phase, and without a currency.
  /^decisions\.1\.clauses\.0\.otherwise$/,
  /^rows\.0\.phaseIndex$/,
  /^backends\.1\.(in|out)putMicros$/,
];
/** Not to be changed alone: a version, the shape of a union, a session in all of its rows, what a condition or a quota is of. */
const TOGETHER = [
  /^schemaVersion$/,
  /\.which$/,
  /\.login$/,
  /\.conditions\.1\.(term|operator)$/,
  /^categories\.3\.name$/,
];

function indexed(made: PolicyTables): IndexedTables {
  const read = indexTables(made);
  return read.ok ? read.value : bug(read.reason);
}

function isTold(before: IndexedTables, after: IndexedTables): boolean {
  const { cells, facts } = computeDifference(
    { tables: before, machine: undefined, flows: undefined },
    { tables: after, machine: undefined, flows: undefined },
  );
  return cells.length + facts.length > 0;
}

test("whatever tables say is told: a field that nobody looks at fails here", () => {
  const [before, after] = [indexed(wholeTables()), wholeTables()];
  const untold = leavesOf(after)
    .filter(({ path }) => ![...MEANINGLESS, ...TOGETHER].some((known) => known.test(path)))
    .filter((leaf) => {
      const tries = othersThan(leaf).flatMap((other): boolean[] => {
        const restore = leaf.setTo(other);
        const read = indexTables(structuredClone(after));
        const told = read.ok ? [isTold(before, read.value)] : [];
        restore();
        return told;
      });
      return tries.length === 0 || tries.includes(false);
    });
  expect(untold.map(({ path }) => path)).toEqual([]);
});
