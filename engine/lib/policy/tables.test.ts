import fc from "fast-check";
import { expect, test } from "vitest";
import { type Condition, PolicyTables as layout, type PolicyTables } from "../wire/generated/policy.ts";
import { encodeMessage } from "../wire/index.ts";
import { indexTables, MAX_TABLES_BYTES, readTables } from "./tables.ts";
import { anyTables } from "./testing/arbitrary.ts";
import { always, backend, check, indexed, PUBLIC, row, tables, tool, where } from "./testing/sample.ts";

const KEYED = { name: "alice", keys: [], passphrase: "" };
const rule99 = { ...always("auto"), rule: 99 };
const decision = (...clauses: ReturnType<typeof always>[]) => ({ decisions: [{ clauses, floors: [] }] });
const quota = { amount: 1n, unit: "calls", name: "", scope: "turn", rule: 0 } as const;
const floor = {
  conditions: [],
  confidentialityAtLeast: 0,
  integrityAtMost: 255,
  compartments: 0n,
  unattended: false,
  mode: "auto",
  rule: 9,
} as const;

const release = { tools: [0], act: "declassify", from: PUBLIC, to: PUBLIC, gate: "consent", rule: 0 } as const;

/** A valid redaction. Each entry of `WRONG` has exactly one fault, so the redaction must have none. */
const masking = { name: "cards", label: PUBLIC, patterns: ["####"], results: [], arguments: [] };

const WRONG: Readonly<Record<string, [changes: Partial<PolicyTables>, reason: RegExp]>> = {
  "another schema version": [{ schemaVersion: 7 }, /version 7.* knows 2 only/],
  "no levels of integrity": [{ lattice: { confidentiality: ["a"], integrity: [], compartments: [] } }, /no levels/],
  "more compartments than bits": [
    {
      lattice: {
        confidentiality: ["a"],
        integrity: ["a"],
        compartments: Array.from({ length: 65 }, (_, at) => `${at}`),
      },
    },
    /more than 64 compartments/,
  ],
  "a session with a login but no principals": [{ rows: [row("operator", [2], { login: "key" })] }, /nobody can log in/],
  "a session with a passphrase that no principal has": [
    { principals: [KEYED], rows: [row("operator", [2], { login: "passphrase", principals: [0] })] },
    /row operator\/\/\/: nobody can log in to it/,
  ],
  "a login by a missing rule": [
    { principals: [KEYED], rows: [row("operator", [2], { login: "key", loginRule: 7, principals: [0] })] },
    /rule 7/,
  ],
  "a task that requires a task": [
    { rows: [row("operator", [2], { task: "pay", requiresTask: true })] },
    /row operator\/pay\/\/: it requires a task, and is one/,
  ],
  "a session that requires a task and has none": [
    { rows: [row("operator", [1], { requiresTask: true }), row("teller", [2], { task: "pay" })] },
    /row operator\/\/\/: it requires a task, and its session has none/,
  ],
  "a session that requires a task, and in which a tool may run outside of one": [
    { rows: [row("operator", [2], { requiresTask: true }), row("operator", [2], { task: "pay" })] },
    /row operator\/\/\/: it requires a task, and a tool may run in it/,
  ],
  "a required task by a missing rule": [
    { rows: [row("operator", [1], { requiresTask: true, taskRule: 7 }), row("operator", [2], { task: "pay" })] },
    /row operator\/\/\/: rule 7 is not there/,
  ],
  "a session that requires a task, except in its workers": [
    {
      rows: [
        row("operator", [1], { requiresTask: true }),
        row("operator", [2], { worker: "digest" }),
        row("operator", [2], { task: "pay" }),
      ],
    },
    /session operator requires a task in some rows alone/,
  ],
  "an idle time without a login": [
    { rows: [row("operator", [2], { timeouts: { callMs: 0, turnMs: 0, loginMs: 0, idleMs: 1 } })] },
    /row operator\/\/\/: it has an idle time, and no login opens it/,
  ],
  "a session that is open in one row and closed in another": [
    {
      principals: [KEYED],
      rows: [
        row("operator", [2], { login: "key", principals: [0] }),
        row("operator", [2], { task: "t", phaseIndex: 1 }),
      ],
    },
    /session operator is opened by key and by none/,
  ],
  "no levels of confidentiality": [
    { lattice: { confidentiality: [], integrity: ["a"], compartments: [] } },
    /no levels/,
  ],
  "a missing parent category": [{ categories: [{ name: "readOnly", parent: 4 }] }, /parent that is not there/],
  "a category above itself": [
    {
      categories: [
        { name: "a", parent: 1 },
        { name: "b", parent: 0 },
      ],
    },
    /category 0 \(a\) is its own ancestor/,
  ],
  "a tool of a missing category": [
    { tools: [tool("notes.write", { category: 9 })] },
    /tool notes\.write: category 9 is not there/,
  ],
  "a sink at a missing level": [
    { tools: [tool("notes.write", { sink: { ...PUBLIC, confidentiality: 3 } })] },
    /confidentiality level 3/,
  ],
  "a compartment without a name": [
    { tools: [tool("notes.write", { sink: { ...PUBLIC, compartments: 4n } })] },
    /compartment/,
  ],
  "tools out of order": [
    { tools: [tool("b.x"), tool("a.x")], rows: [row("operator", [2, 2])] },
    /: tools are not in strict order of names at a\.x/,
  ],
  "a repeated tool": [{ tools: [tool("a.x"), tool("a.x")], rows: [row("operator", [2, 2])] }, /order of names/],
  "a decision without rules": [decision(), /decision 0: it has no clauses/],
  "a decision by a missing rule": [decision(rule99), /rule 99 is not there/],
  "a floor by a missing rule": [{ decisions: [{ clauses: [always("auto")], floors: [floor] }] }, /rule 9 is not there/],
  "a floor with a condition without an argument": [
    {
      decisions: [
        {
          clauses: [always("auto")],
          floors: [{ ...floor, rule: 0, conditions: [{ ...check("a", "equal", 1), path: [] }] }],
        },
      ],
    },
    /no argument/,
  ],
  "a condition without an argument": [
    decision(where([{ ...check("a", "equal", 1), path: [] }], "auto", "consent")),
    /no argument/,
  ],
  "a condition without a literal": [decision(where([check("a", "in")], "auto", "consent")), /nothing to compare/],
  "two literals for an equality": [decision(where([check("a", "equal", 1, 2)], "auto", "consent")), /more than one/],
  "a text with <": [decision(where([check("a", "less", "b")], "auto", "consent")), /order/],
  "a text with <=": [decision(where([check("a", "lessOrEqual", "b")], "auto", "consent")), /order/],
  "a text with >": [decision(where([check("a", "greater", "b")], "auto", "consent")), /order/],
  "a boolean with >=": [decision(where([check("a", "greaterOrEqual", true)], "auto", "consent")), /order/],
  "a directory that is a number": [decision(where([check("a", "under", 1)], "auto", "consent")), /no path/],
  "an origin that is a number": [
    decision(where([{ ...check("a", "equal", 1), term: "origin" }], "auto", "consent")),
    /no origin/,
  ],
  "a directory that climbs": [decision(where([check("a", "under", "/a/../b")], "auto", "consent")), /no path/],
  "an origin with a path": [
    decision(where([{ ...check("a", "equal", "https://a.example/x"), term: "origin" }], "auto", "consent")),
    /no origin/,
  ],
  "a pattern with too many stars": [
    decision(where([check("a", "matches", "*********")], "auto", "consent")),
    /not a pattern/,
  ],
  "a pattern that is a number": [decision(where([check("a", "matches", 1)], "auto", "consent")), /else than a text/],
  "a date compared with a text": [
    decision(where([{ ...check("a", "equal", "2026-12-31"), term: "date" }], "auto", "consent")),
    /date is compared/,
  ],
  "a size compared with a text": [
    decision(where([{ ...check("a", "equal", "x"), term: "size" }], "auto", "consent")),
    /size/,
  ],
  "a decimal in exponent form": [
    decision(where([{ ...check("a", "less"), literals: [{ which: "decimal", decimal: "1e3" }] }], "auto", "consent")),
    /exact decimal/,
  ],
  "too few cells in a row": [{ rows: [row("operator", [])] }, /row operator\/\/\/: 0 cells for 1 tools/],
  "a cell beyond the decisions": [{ rows: [row("operator", [3])] }, /cell value 3/],
  "a missing principal": [{ rows: [row("operator", [2], { principals: [0] })] }, /principal 0/],
  "a missing backend": [{ rows: [row("operator", [2], { backends: [{ backend: 1, mode: "auto" }] })] }, /backend 1/],
  "a clearance at a missing level": [
    { rows: [row("operator", [2], { clearance: { ...PUBLIC, integrity: 3 } })] },
    /integrity level 3/,
  ],
  "a quota by a missing rule": [{ rows: [row("operator", [2], { quotas: [{ ...quota, rule: 5 }] })] }, /rule 5/],
  "a quota on a missing category": [
    { rows: [row("operator", [2], { quotas: [{ ...quota, unit: "category", name: "x" }] })] },
    /no category x/,
  ],
  "a release without a gate": [{ releases: [{ ...release, gate: "auto" }] }, /release 0: its gate is auto/],
  "a release that forbids": [{ releases: [{ ...release, gate: "forbidden" }] }, /its gate is forbidden/],
  "a release of a missing tool": [{ releases: [{ ...release, tools: [1] }] }, /tool 1 is not there/],
  "a release to a missing level": [
    { releases: [{ ...release, to: { ...PUBLIC, integrity: 3 } }] },
    /integrity level 3/,
  ],
  "a release by a missing rule": [{ releases: [{ ...release, rule: 7 }] }, /rule 7/],
  "a row with a missing release": [{ rows: [row("operator", [2], { releases: [0] })] }, /release 0 is not/],
  "a row that cannot be entered": [{ rows: [row("operator", [2], { entry: "forbidden" })] }, /nobody may enter/],
  "a gate before a row by a missing rule": [
    { rows: [row("operator", [2], { entry: "consent", entryRule: 7 })] },
    /rule 7/,
  ],
  "two phases with one index": [
    { rows: ["look", "mend"].map((phase) => row("operator", [2], { task: "t", phase })) },
    /phase operator\/t\/\/0 stands twice/,
  ],
  "an ingress into a missing row": [
    {
      ingresses: [{ name: "desk", source: "mail", address: "", row: 1, label: PUBLIC, zone: "", missed: "", says: "" }],
    },
    /ingress desk: row 1/,
  ],
  "an ingress at a missing level": [
    {
      ingresses: [
        {
          name: "desk",
          source: "mail",
          address: "",
          row: 0,
          label: { ...PUBLIC, integrity: 9 },
          zone: "",
          missed: "",
          says: "",
        },
      ],
    },
    /integrity level 9/,
  ],
  "a timer without a time zone": [
    {
      ingresses: [
        {
          name: "t",
          source: "timer",
          address: "0 3 * * *",
          row: 0,
          label: PUBLIC,
          zone: "",
          missed: "once",
          says: "Sum up.",
        },
      ],
    },
    /ingress t: its times are not valid/,
  ],
  "a timer with an unknown choice for missed runs": [
    {
      ingresses: [
        {
          name: "t",
          source: "timer",
          address: "0 3 * * *",
          row: 0,
          label: PUBLIC,
          zone: "UTC",
          missed: "all",
          says: "Sum up.",
        },
      ],
    },
    /ingress t: its times are not valid/,
  ],
  "a timer without a message": [
    {
      ingresses: [
        {
          name: "t",
          source: "timer",
          address: "0 3 * * *",
          row: 0,
          label: PUBLIC,
          zone: "UTC",
          missed: "once",
          says: "",
        },
      ],
    },
    /ingress t: its message is not valid/,
  ],
  "a webhook with a message": [
    {
      ingresses: [
        { name: "t", source: "webhook", address: "/", row: 0, label: PUBLIC, zone: "", missed: "", says: "x" },
      ],
    },
    /ingress t: its message is not valid/,
  ],
  "a webhook with a time zone": [
    {
      ingresses: [
        { name: "t", source: "webhook", address: "/", row: 0, label: PUBLIC, zone: "UTC", missed: "", says: "" },
      ],
    },
    /ingress t: its times are not valid/,
  ],
  "a limit of the audit at a missing level": [
    { audit: { hasLimit: true, keep: "always", above: { ...PUBLIC, integrity: 0, confidentiality: 9 } } },
    /audit: confidentiality level 9/,
  ],
  "a limit of the audit with an integrity": [
    { audit: { hasLimit: true, keep: "always", above: PUBLIC } },
    /audit: its label demands an integrity/,
  ],
  "a label of the audit without a limit": [
    { audit: { hasLimit: false, keep: "always", above: { confidentiality: 1, integrity: 0, compartments: 0n } } },
    /audit: it names a label and has no limit/,
  ],
  "a redaction without a target": [
    { redactions: [{ ...masking, patterns: [] }] },
    /redaction cards: it names nothing to mask/,
  ],
  "a redaction with a pattern that is too short": [
    { redactions: [{ ...masking, patterns: ["##"] }] },
    /a text is not a pattern/,
  ],
  "a redaction at a missing level": [
    { redactions: [{ ...masking, label: { ...PUBLIC, confidentiality: 9 } }] },
    /redaction cards: confidentiality level 9/,
  ],
  "a redaction of a missing tool": [
    { redactions: [{ ...masking, results: [{ tool: "notes.raed", name: "x" }] }] },
    /it names the tool notes.raed, which is not there/,
  ],
  "a redaction of a whole result": [
    { redactions: [{ ...masking, arguments: [{ tool: "notes.write", name: "" }] }] },
    /it names no field of notes.write/,
  ],
  "a repeated redaction": [{ redactions: [masking, masking] }, /redactions are not in strict order of names at cards/],
  "too many redactions": [
    { redactions: Array.from({ length: 33 }, (_, index) => ({ ...masking, name: `c${10 + index}` })) },
    /more than 32 redactions/,
  ],
  "too many patterns of redactions": [
    { redactions: [{ ...masking, patterns: Array.from({ length: 65 }, () => "####") }] },
    /more than 64 patterns/,
  ],
  "a backend's quota by a missing rule": [
    { backends: [backend("b", { quotas: [{ ...quota, rule: 5 }] })] },
    /backend b: rule 5/,
  ],
  "one rule for two quotas": [
    { rows: [row("operator", [2], { quotas: [quota, { ...quota, scope: "day" }] })] },
    /rule 0 stands for two quotas of session operator/,
  ],
  "a repeated row": [
    { rows: ["", ""].map((worker) => row("operator", [2], { task: "t", phase: "look", worker })) },
    /: row operator\/t\/look\/ stands twice/,
  ],
};

for (const [what, [changes, reason]] of Object.entries(WRONG)) {
  test(`refuses tables: ${what}`, () => {
    expect(indexTables(tables(changes))).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });
}

const on = (condition: Condition) => decision(where([condition], "auto", "consent"));
const RIGHT: Readonly<Record<string, Partial<PolicyTables>>> = {
  "several literals with in": on(check("a", "in", "x", 1, true)),
  "an order of numbers": on(check("a", "lessOrEqual", 1)),
  "a size that is a number": on({ ...check("a", "greater", 1), term: "size" }),
  "a valid origin": on({ ...check("a", "equal", "https://a.example"), term: "origin" }),
  "a directory": on(check("a", "under", "/a/b")),
  "an inequality of texts": on(check("a", "notEqual", "x")),
  "the maximum number of compartments": {
    lattice: {
      confidentiality: ["a", "b", "c"],
      integrity: ["a", "b"],
      compartments: Array.from({ length: 64 }, (_, at) => `${at}`),
    },
  },
  "a row without a gate and with a missing rule": { rows: [row("operator", [2], { entryRule: 7 })] },
  "a session without a login and with a missing rule": { rows: [row("operator", [2], { loginRule: 7 })] },
  "a login by key": { principals: [KEYED], rows: [row("operator", [2], { login: "key", principals: [0] })] },
  "a passphrase of one of two principals": {
    principals: [KEYED, { ...KEYED, name: "bob", passphrase: "bob" }],
    rows: [row("operator", [2], { login: "passphrase", principals: [0, 1] })],
  },
  "sessions with different logins": {
    principals: [KEYED],
    rows: [row("operator", [2], { login: "key", principals: [0] }), row("visitor", [2])],
  },
};

for (const [what, changes] of Object.entries(RIGHT)) {
  test(`accepts tables: ${what}`, () => expect(indexTables(tables(changes))).toMatchObject({ ok: true }));
}

test("reads tables from bytes, and refuses malformed or too many bytes", () => {
  expect(readTables(encodeMessage(layout, tables()))).toEqual({ ok: true, value: indexed() });
  expect(readTables(new Uint8Array(8).fill(255))).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/^policy tables cannot be read: ./),
  });
  const reason = (length: number) => {
    const read = readTables(new Uint8Array(length));
    return read.ok ? "" : read.reason;
  };
  expect(reason(MAX_TABLES_BYTES + 1)).toBe("policy tables are larger than 16777216 bytes");
  expect(reason(MAX_TABLES_BYTES)).not.toMatch(/larger/);
});

test("the lineage of a category contains all its ancestors", () => {
  expect(indexed().lineage[3]).toEqual(new Set(["payments", "destructive"]));
});

test("property: reads back encoded tables unchanged", () => {
  fc.assert(
    fc.property(anyTables, (sample) => {
      const read = readTables(encodeMessage(layout, sample));
      expect(read).toMatchObject({ ok: true, value: sample });
    }),
  );
});

test("property: refuses changed bytes or reads them as coherent tables, and never throws", () => {
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
