import { expect, test } from "vitest";
import type { PolicyTables } from "../wire/generated/policy.ts";
import type { Conversation } from "./conversation.ts";
import { decide } from "./decide.ts";
import { deriveConsentKey } from "./remember.ts";
import { always, CATEGORY, check, indexed, PUBLIC, row, SECRET, tool, where } from "./testing/sample.ts";

const CONSENT = [{ clauses: [always("consent")], floors: [] }];
const here: Conversation = { row: 0, label: PUBLIC, unattended: false, spent: [] };

function key(changes: Partial<PolicyTables> = {}, now: Partial<Conversation> = {}, path = "a"): string | undefined {
  const rows = [0, 1].map((phaseIndex) =>
    row("operator", [2], { remember: "turn", phaseIndex, phase: `p${phaseIndex}`, task: "t" }),
  );
  const tables = indexed({ decisions: CONSENT, rows, ...changes });
  const conversation = { ...here, ...now };
  const decision = decide(tables, conversation, { tool: "notes.write", arguments: JSON.stringify({ path }) });
  return decision.kind === "gated" ? deriveConsentKey(tables, conversation, decision) : "refused";
}

test("ruling 15: consent is remembered by tool, class of arguments, phase and label", () => {
  const conditional = {
    decisions: [{ clauses: [where([check("path", "under", "/b")], "consent", "consent")], floors: [] }],
  };
  expect(key()).toBeDefined();
  expect(key({}, {}, "b")).toBe(key());
  expect(key(conditional, {}, "b/x")).toBe(key(conditional, {}, "b/y"));
  expect(key(conditional, {}, "b/x")).not.toBe(key(conditional, {}, "c"));
  expect(key({}, { row: 1 })).not.toBe(key());
  expect(key({}, { label: SECRET })).not.toBe(key());
});

test("ruling 15: consent covers only arguments with the same floor conditions, and is not remembered if one is unknown", () => {
  const floor = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n, unattended: false, rule: 1 };
  const floors = [{ ...floor, mode: "consent", conditions: [check("path", "under", "/b")] } as const];
  const floored = { decisions: [{ clauses: [always("consent")], floors }] };
  expect(key(floored, {}, "b/x")).toBe(key(floored, {}, "b/y"));
  expect(key(floored, {}, "b/x")).not.toBe(key(floored, {}, "c"));
  expect(key(floored, {}, "b/../c")).toBeUndefined();
});

test("ruling 15: consent is not remembered if a condition cannot be evaluated, or if the tool cannot be called", () => {
  const conditional = {
    decisions: [{ clauses: [where([check("path", "under", "/b")], "consent", "consent")], floors: [] }],
  };
  expect(key(conditional, {}, "b/../c")).toBeUndefined();
  const tables = indexed({ decisions: CONSENT, rows: [row("operator", [2], { remember: "turn" })] });
  const call = decide(tables, here, { tool: "notes.write", arguments: '{"path":"a"}' });
  if (call.kind !== "gated") throw new Error(call.reason);
  expect(deriveConsentKey(tables, here, call)).toBeDefined();
  const hidden = indexed({ decisions: CONSENT, rows: [row("operator", [1], { remember: "turn" })] });
  expect(deriveConsentKey(hidden, here, call)).toBeUndefined();
  expect(deriveConsentKey(tables, { ...here, row: 1 }, call)).toBeUndefined();
  expect(deriveConsentKey(tables, here, { ...call, tool: 1 })).toBeUndefined();
  expect(deriveConsentKey(tables, here, { ...call, arguments: "{" })).toBeUndefined();
});

test("ruling 15: consent is not remembered for a step-up, a release, or a destructive, administrative or networked call", () => {
  const only = (changes: Parameters<typeof tool>[1]) => key({ tools: [tool("notes.write", changes)] });
  expect(key({ decisions: [{ clauses: [always("stepUp")], floors: [] }] })).toBeUndefined();
  expect(only({ category: CATEGORY.destructive })).toBeUndefined();
  expect(only({ category: CATEGORY.payments })).toBeUndefined();
  expect(only({ networked: true })).toBeUndefined();
  const sink = { ...PUBLIC, integrity: 0 };
  const release = {
    tools: [0],
    act: "declassify",
    from: { ...SECRET, integrity: 0 },
    to: sink,
    gate: "consent",
    rule: 0,
  } as const;
  const released = { tools: [tool("notes.write", { sink })], releases: [release] };
  const rows = [row("operator", [2], { remember: "conversation", releases: [0] })];
  expect(key({ ...released, rows }, { label: SECRET })).toBeUndefined();
  expect(key({ ...released, rows })).toBeDefined();
  expect(key({ rows: [row("operator", [2])] })).toBeUndefined();
});
