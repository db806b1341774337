import fc from "fast-check";
import { expect, test } from "vitest";
import { join, type Label } from "../policy/index.ts";
import { FINANCE, HR, indexed, PUBLIC, row, SECRET, tool } from "../policy/testing/sample.ts";
import { ConversationState } from "../wire/generated/conversations.ts";
import { encode } from "../wire/index.ts";
import { highestOf, standingIn } from "./keeping.ts";

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
const parts = { tables, session: "operator", policyDigest };

const state = (changes: Partial<ConversationState> = {}): Uint8Array =>
  encode(ConversationState, {
    schemaVersion: 1,
    policyDigest,
    task: "",
    phase: "",
    label: untrusted,
    turn: 9,
    ...changes,
  });

test("a conversation is taken up where it stood: row, label and turn", () => {
  expect(standingIn(parts, state())).toMatchObject({
    isRecorded: true,
    turn: 9,
    conversation: { row: 0, label: untrusted, unattended: false },
  });
  expect(standingIn(parts, state({ task: "triage", phase: "look" }))?.conversation).toMatchObject({
    row: 1,
    label: join(SECRET, untrusted),
  });
});

test.each([
  ["nothing is on record", new Uint8Array()],
  ["the record is under other tables", state({ policyDigest: new Uint8Array(32) })],
  ["its task is no more", state({ task: "gone" })],
  ["its phase is no more", state({ task: "triage", phase: "mend" })],
  ["it is of another form", state({ schemaVersion: 2 })],
  ["it is cut off", state().subarray(0, 16)],
])("where %s it stands at the highest that its session can come to", (_, bytes) => {
  const standing = standingIn(parts, bytes);
  expect(standing).toMatchObject({ isRecorded: false, conversation: { row: 0 } });
  // All rows of the session, and the results of its own tools; not those of another's.
  expect(standing?.conversation.label).toEqual({ confidentiality: 2, integrity: 0, compartments: FINANCE });
});

test("what is highest is of the session alone", () => {
  expect(highestOf(tables, "visitor")).toEqual({ confidentiality: 2, integrity: 1, compartments: HR });
  expect(standingIn({ ...parts, session: "nobody" }, state())).toBeUndefined();
});

test("law: no bytes make it throw, and no record of these tables is taken up below its label", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(standingIn(parts, bytes)).toBeDefined();
    }),
  );
  const label = fc.record({ confidentiality: fc.nat(2), integrity: fc.nat(1), compartments: fc.bigInt(0n, 3n) });
  fc.assert(
    fc.property(label, fc.boolean(), fc.boolean(), (held, inTask, isOther) => {
      const place = inTask ? { task: "triage", phase: "look" } : {};
      const digest = isOther ? { policyDigest: new Uint8Array(32) } : {};
      const reachable = join(held, highestOf(tables, "operator"));
      const standing = standingIn(parts, state({ label: held, ...place, ...digest }));
      const taken = standing?.conversation.label ?? PUBLIC;
      expect(join(taken, isOther ? highestOf(tables, "operator") : held)).toEqual(taken);
      expect(join(reachable, taken)).toEqual(reachable);
    }),
  );
});
