// Tables with a value in every field, for tests that check whether a field is compared.

import type { Condition, Layout, PolicyTables, Quota, Row, Source, Type } from "../../wire/generated/policy.ts";
import { always, backend, check, HR, row, SECRET, tables, tool, where } from "./sample.ts";

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
  strong: ["rows.account", "rows.iban"],
  truncateBytes: 1000,
} as const;
const LAYOUT: Layout = { dataWords: 2, pointers: 3, places: [{ offset: 1, standard: 0n, which: "text" }] };
const LINKS = { ...check("path", "in", "a", "b"), each: "every", extract: "urls" } as const;
const PAYEES: Source = {
  which: "field",
  field: {
    tool: "notes.read",
    name: "rows.account",
    isStrong: true,
    related: [
      { name: "path", ofCall: true, text: "", sources: [{ which: "person" }] },
      { name: "rows.owner", ofCall: false, text: "ada", sources: [] },
    ],
  },
};
const NOTES: Source = {
  which: "field",
  field: { tool: "notes.read", name: "rows.note", isStrong: false, related: [] },
};
const SAID: Condition = {
  ...check("tags", "from"),
  sources: [{ which: "page" }, { which: "atLeast", atLeast: 1 }, PAYEES, NOTES],
};
const CLAUSE = where([check("count", "less", 5), LINKS, SAID], "auto", "consent");
const FLOOR = {
  confidentialityAtLeast: 1,
  integrityAtMost: 1,
  compartments: HR,
  unattended: true,
  mode: "stepUp",
  rule: 0,
  conditions: [check("count", "greater", 3)],
} as const;
const RELEASE = { tools: [0], act: "declassify", from: SECRET, to: SECRET, gate: "consent", rule: 0 } as const;
const IN_TASK: Partial<Row> = {
  task: "triage",
  phase: "mend",
  ...{ principals: [0], backends: [{ backend: 0, mode: "consent" }], quotas: [QUOTA], releases: [0, 1] },
  ...{ login: "passphrase", loginRule: 0, remember: "turn", entry: "consent", entryRule: 0, phaseIndex: 1 },
  timeouts: { callMs: 100, turnMs: 200, loginMs: 300, idleMs: 250 },
};

const CHOSEN: Partial<Row> = {
  parameters: [
    { name: "limit", kind: "money", currency: "EUR" },
    { name: "folder", kind: "text", currency: "" },
  ],
};

/** Returns tables in which every list has at least one element, and each list that an index refers to has two. */
export function wholeTables(): PolicyTables {
  return structuredClone(
    tables({
      tools: [
        tool("notes.read", TOOL),
        tool("notes.write", {
          layout: LAYOUT,
          servers: [{ scheme: "https", host: "a.example", port: 443, path: "/" }],
        }),
      ],
      decisions: [
        { clauses: [CLAUSE], floors: [FLOOR] },
        { clauses: [always("consent")], floors: [] },
      ],
      rows: [
        row("operator", [2, 3], { ...IN_TASK, task: "", phase: "", phaseIndex: 0, entry: "auto" }),
        row("operator", [2, 3], { ...IN_TASK, ...CHOSEN, phase: "look", phaseIndex: 0 }),
        row("operator", [2, 3], { ...IN_TASK, ...CHOSEN }),
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
      pageTexts: ["a.example", "b.example"],
      redactions: [
        {
          name: "cards",
          label: SECRET,
          patterns: ["####-####", "INV-*#"],
          results: [{ tool: "notes.read", name: "rows.iban" }],
          arguments: [{ tool: "notes.write", name: "path" }],
        },
      ],
      audit: { hasLimit: true, keep: "always", above: { confidentiality: 1, integrity: 0, compartments: 1n } },
      releases: [RELEASE, { ...RELEASE, tools: [1] }],
      ingresses: [
        {
          name: "desk",
          source: "mail",
          address: "a@example.com",
          row: 0,
          label: SECRET,
          zone: "",
          missed: "",
          says: "",
        },
        {
          name: "nightly",
          source: "timer",
          address: "0 3 * * *",
          row: 0,
          label: SECRET,
          zone: "UTC",
          missed: "once",
          says: "Sum up.",
        },
      ],
    }),
  );
}
