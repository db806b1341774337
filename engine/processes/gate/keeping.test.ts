import fc from "fast-check";
import { expect, test } from "vitest";
import { join, type Label, listCompartments } from "../../lib/policy/index.ts";
import { FINANCE, HR, indexed, PUBLIC, row, SECRET, tool } from "../../lib/policy/testing/sample.ts";
import { ConversationState } from "../../lib/wire/generated/conversations.ts";
import { encode } from "../../lib/wire/index.ts";
import { computeHighest, decodeStanding } from "./keeping.ts";

const untrusted: Label = { confidentiality: 1, integrity: 0, compartments: FINANCE };
const tables = indexed({
  tools: [
    tool("a.read", { result: { low: PUBLIC, high: untrusted } }),
    tool("b.read", { result: { low: PUBLIC, high: { ...SECRET, compartments: HR } } }),
  ],
  rows: [
    row("operator", [2, 0]),
    row("operator", [2, 0], { task: "triage", phase: "look", starts: SECRET }),
    row("visitor", [0, 2]),
  ],
});
const policyDigest = new Uint8Array(32).fill(7);
const OTHER = { policyDigest: new Uint8Array(32) };
const parts = { tables, session: "operator", policyDigest };

const state = (changes: Partial<ConversationState> = {}): Uint8Array =>
  encode(ConversationState, {
    schemaVersion: 1,
    policyDigest,
    task: "",
    phase: "",
    label: untrusted,
    turn: 9,
    confidentiality: "internal",
    integrity: "untrusted",
    compartments: ["finance"],
    parameters: [],
    ...changes,
  });

test("restores a conversation's row, label and turn", () => {
  expect(decodeStanding(parts, state())).toMatchObject({
    isRecorded: true,
    turn: 9,
    conversation: { row: 0, label: untrusted, unattended: false },
  });
  expect(decodeStanding(parts, state({ task: "triage", phase: "look" }))?.conversation).toMatchObject({
    row: 1,
    label: join(SECRET, untrusted),
  });
});

test.each([
  ["the record is missing", new Uint8Array()],
  ["its task does not exist any more", state({ task: "gone" })],
  ["its phase does not exist any more", state({ task: "triage", phase: "mend" })],
  ["it has another schema version", state({ schemaVersion: 2 })],
  ["it is truncated", state().subarray(0, 16)],
  ["a name of its label is unknown", state({ ...OTHER, compartments: ["finance", "legal"] })],
  ["its label has an unknown level of confidentiality", state({ ...OTHER, confidentiality: "cosmic" })],
  ["its label has an unknown level of integrity", state({ ...OTHER, integrity: "rumour" })],
  ["its label was too long to be named", state({ ...OTHER, confidentiality: "", integrity: "", compartments: [] })],
])("if %s, a conversation resumes at the highest label", (_, bytes) => {
  const standing = decodeStanding(parts, bytes);
  expect(standing).toMatchObject({ isRecorded: false, conversation: { row: 0 } });
  expect(standing?.conversation.label).toEqual({ confidentiality: 2, integrity: 0, compartments: FINANCE | HR });
});

test("under other tables a conversation resumes at the join of the session's highest label and its own label", () => {
  const label = (changes: Partial<ConversationState>) =>
    decodeStanding(parts, state({ ...OTHER, ...changes }))?.conversation.label;
  const reached = { confidentiality: 2, integrity: 0, compartments: FINANCE };
  expect(label({})).toEqual(reached);
  // No tool of the operator returns hr data any more, but the recorded label still includes it.
  expect(label({ compartments: ["hr"] })).toEqual({ ...reached, compartments: FINANCE | HR });
  // Numbers in a label have no meaning under other tables.
  expect(label({ label: { confidentiality: 0, integrity: 2, compartments: HR } })).toEqual(reached);
});

test("restores the values of a task if each is recorded and of its kind, and otherwise none of them", () => {
  const parameters = [
    { name: "recipient", kind: "text", currency: "" },
    { name: "limit", kind: "money", currency: "EUR" },
  ] as const;
  const paying = {
    ...parts,
    tables: indexed({ rows: [row("operator", [2]), row("operator", [2], { task: "pay", parameters })] }),
  };
  const read = (kept: ConversationState["parameters"]) =>
    decodeStanding(paying, state({ task: "pay", label: PUBLIC, parameters: kept }))?.conversation.parameters;
  const [recipient, limit] = [
    { name: "recipient", value: "ACME" },
    { name: "limit", value: "5" },
  ];
  expect([...(read([recipient, limit]) ?? [])]).toEqual([
    ["recipient", { which: "text", text: "ACME" }],
    ["limit", { which: "decimal", decimal: "5" }],
  ]);
  expect(read([recipient])).toBeUndefined();
  expect(read([recipient, { name: "limit", value: "lots" }])).toBeUndefined();
  expect(read([])).toBeUndefined();
});

test("the highest label of a conversation depends only on its session", () => {
  const places = [row("visitor", [0, 0]), row("visitor", [2, 0], { task: "tour" })];
  expect(computeHighest(indexed({ tools: tables.tools, rows: places }), "visitor")).toEqual(untrusted);
  expect(computeHighest(tables, "visitor")).toEqual({ confidentiality: 2, integrity: 1, compartments: HR });
  expect(decodeStanding({ ...parts, session: "nobody" }, state())).toBeUndefined();
});

test("property: reads any bytes without an exception, and no conversation resumes below its label", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(decodeStanding(parts, bytes)).toBeDefined();
    }),
  );
  const label = fc.record({ confidentiality: fc.nat(2), integrity: fc.nat(1), compartments: fc.bigInt(0n, 3n) });
  fc.assert(
    fc.property(label, fc.boolean(), fc.boolean(), (held, inTask, isOther) => {
      const place = inTask ? { task: "triage", phase: "look" } : {};
      const { lattice } = tables;
      const names = {
        confidentiality: lattice.confidentiality[held.confidentiality] ?? "",
        integrity: lattice.integrity[held.integrity] ?? "",
        compartments: listCompartments(lattice, held.compartments),
      };
      const reachable = join(held, computeHighest(tables, "operator"));
      const standing = decodeStanding(parts, state({ label: held, ...names, ...place, ...(isOther ? OTHER : {}) }));
      const taken = standing?.conversation.label ?? PUBLIC;
      expect(join(taken, isOther ? reachable : held)).toEqual(taken);
      expect(join(reachable, taken)).toEqual(reachable);
    }),
  );
});
