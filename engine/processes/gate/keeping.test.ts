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
    ...changes,
  });

test("a conversation is taken up where it stood: row, label and turn", () => {
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
  ["nothing is on record", new Uint8Array()],
  ["its task is no more", state({ task: "gone" })],
  ["its phase is no more", state({ task: "triage", phase: "mend" })],
  ["it is of another form", state({ schemaVersion: 2 })],
  ["it is cut off", state().subarray(0, 16)],
  ["a name of its label is none of these tables", state({ ...OTHER, compartments: ["finance", "legal"] })],
  ["its label had other levels", state({ ...OTHER, confidentiality: "cosmic" })],
  ["its label had another trust", state({ ...OTHER, integrity: "rumour" })],
  ["its label was too long to be named", state({ ...OTHER, confidentiality: "", integrity: "", compartments: [] })],
])("where %s it stands at the highest that there is", (_, bytes) => {
  const standing = decodeStanding(parts, bytes);
  expect(standing).toMatchObject({ isRecorded: false, conversation: { row: 0 } });
  expect(standing?.conversation.label).toEqual({ confidentiality: 2, integrity: 0, compartments: FINANCE | HR });
});

test("under other tables a conversation has its old label, at most the highest of its session", () => {
  const label = (changes: Partial<ConversationState>) =>
    decodeStanding(parts, state({ ...OTHER, ...changes }))?.conversation.label;
  const reached = { confidentiality: 2, integrity: 0, compartments: FINANCE };
  expect(label({})).toEqual(reached);
  // No tool of the operator brings this home any more; what was said still holds it.
  expect(label({ compartments: ["hr"] })).toEqual({ ...reached, compartments: FINANCE | HR });
  // Numbers of other tables mean nothing.
  expect(label({ label: { confidentiality: 0, integrity: 2, compartments: HR } })).toEqual(reached);
});

test("the highest label is of the session only", () => {
  const places = [row("visitor", [0, 0]), row("visitor", [2, 0], { task: "tour" })];
  expect(computeHighest(indexed({ tools: tables.tools, rows: places }), "visitor")).toEqual(untrusted);
  expect(computeHighest(tables, "visitor")).toEqual({ confidentiality: 2, integrity: 1, compartments: HR });
  expect(decodeStanding({ ...parts, session: "nobody" }, state())).toBeUndefined();
});

test("law: no bytes make it throw, and no record is taken up below its label", () => {
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
