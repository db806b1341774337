import { expect, test } from "vitest";
import type { Row } from "../wire/generated/policy.ts";
import type { Conversation } from "./conversation.ts";
import { endWorker, enterPhase, laterPhases, openIngress, openTask, startWorker, tasksOf } from "./passage.ts";
import { indexed, PUBLIC, row, SECRET } from "./testing/sample.ts";

const calls = { amount: 9n, unit: "calls", name: "", scope: "conversation", rule: 0 } as const;
const prompts = { amount: 2n, unit: "prompts", name: "", scope: "task", rule: 1 } as const;
const inTask = (phase: string, phaseIndex: number, changes: Partial<Row> = {}) =>
  row("operator", [2], { task: "triage", phase, phaseIndex, quotas: [calls, prompts], ...changes });

const tables = indexed({
  rows: [
    row("operator", [2], { quotas: [calls] }),
    row("operator", [2], { worker: "digest", quotas: [calls] }),
    inTask("look", 0),
    inTask("look", 0, { worker: "digest" }),
    inTask("mend", 1, { quotas: [prompts, calls], entry: "consent", entryRule: 1 }),
    inTask("report", 2, { entry: "stepUp", entryRule: 0 }),
    row("visitor", [2], { task: "tour" }),
  ],
  ingresses: [{ name: "desk", source: "mail", address: "", row: 2, label: { ...SECRET, integrity: 0 } }],
});

function begun(): Conversation {
  const opened = openTask(tables, "operator", "triage");
  if (!opened.ok) throw new Error(opened.reason);
  return opened.value.conversation;
}

test("a task begins in its first phase, and only in its session", () => {
  expect(openTask(tables, "operator", "triage")).toMatchObject({
    ok: true,
    value: { gate: "auto", rule: undefined, conversation: { row: 2, label: PUBLIC, spent: [0n, 0n] } },
  });
  expect(openTask(tables, "visitor", "tour")).toMatchObject({ ok: true, value: { conversation: { row: 6 } } });
  expect(openTask(tables, "operator", "tour")).toMatchObject({ ok: false });
  expect(openTask(tables, "operator", "")).toMatchObject({ ok: false });
  expect([tasksOf(tables, "operator"), tasksOf(tables, "visitor")]).toEqual([["triage"], ["tour"]]);
});

test("phases go forward only, may be left out, and keep what was seen", () => {
  const here = { ...begun(), label: SECRET };
  expect(laterPhases(tables, here)).toEqual(["mend", "report"]);
  const mend = enterPhase(tables, here, "mend");
  expect(mend).toMatchObject({
    ok: true,
    value: { gate: "consent", rule: 1, conversation: { row: 4, label: SECRET } },
  });
  const report = enterPhase(tables, here, "report");
  expect(report).toMatchObject({ ok: true, value: { gate: "stepUp", rule: 0, conversation: { row: 5 } } });
  if (!report.ok) return;
  expect(laterPhases(tables, report.value.conversation)).toEqual([]);
  for (const phase of ["look", "mend", "report", "nowhere", ""]) {
    expect(enterPhase(tables, report.value.conversation, phase).ok).toBe(false);
  }
});

test("counters hang on their lines, and a gate before a phase counts as a prompt", () => {
  const mend = enterPhase(tables, { ...begun(), spent: [5n, 1n] }, "mend");
  expect(mend).toMatchObject({ ok: true, value: { conversation: { spent: [2n, 5n] } } });
  if (!mend.ok) return;
  expect(enterPhase(tables, mend.value.conversation, "report")).toEqual({
    ok: false,
    reason: "used up: the second line",
  });
});

test("outside of a task there are no phases", () => {
  const session = { row: 0, label: PUBLIC, unattended: false, spent: [0n] };
  expect(enterPhase(tables, session, "mend").ok).toBe(false);
  expect(laterPhases(tables, session)).toEqual([]);
});

test("words from outside begin a conversation with their label", () => {
  expect(openIngress(tables, "desk")).toMatchObject({
    ok: true,
    value: { conversation: { row: 2, label: { confidentiality: 2, integrity: 0 } } },
  });
  expect(openIngress(tables, "door").ok).toBe(false);
});

test("a worker begins with what its parent has seen and used, and gives both back", () => {
  const parent = { ...begun(), spent: [3n, 0n], label: { ...PUBLIC, confidentiality: 1 } };
  const started = startWorker(tables, parent, "digest");
  expect(started).toMatchObject({ ok: true, value: { row: 3, label: parent.label, spent: [3n, 0n] } });
  if (!started.ok) return;
  expect(startWorker(tables, started.value, "digest").ok).toBe(false);
  expect(enterPhase(tables, started.value, "mend").ok).toBe(false);
  const ended = endWorker(tables, parent, { ...started.value, label: { ...SECRET, integrity: 0 }, spent: [7n, 0n] });
  expect(ended).toEqual({ ok: true, value: { ...parent, label: { ...SECRET, integrity: 0 }, spent: [7n, 0n] } });
  const later = enterPhase(tables, parent, "mend");
  expect(later.ok && endWorker(tables, later.value.conversation, started.value)).toMatchObject({ ok: false });
  expect(later.ok).toBe(true);
  expect(endWorker(tables, parent, parent).ok).toBe(false);
  expect(startWorker(tables, parent, "").ok).toBe(false);
});
