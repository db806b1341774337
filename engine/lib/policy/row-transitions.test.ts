import { expect, test } from "vitest";
import type { Row } from "../wire/generated/policy.ts";
import { type Conversation, moveTo, openConversation, startTurn } from "./conversation.ts";
import { formatRowPath } from "./row-path.ts";
import {
  endWorker,
  enterPhase,
  listLaterPhases,
  listTasks,
  openIngress,
  openTask,
  startWorker,
} from "./row-transitions.ts";
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
  ingresses: [
    {
      name: "desk",
      source: "mail",
      address: "",
      row: 2,
      label: { ...SECRET, integrity: 0 },
      zone: "",
      missed: "",
      says: "",
    },
  ],
});

function begun(): Conversation {
  const opened = openTask(tables, "operator", "triage");
  if (!opened.ok) throw new Error(opened.reason);
  return opened.value.conversation;
}

test("a task begins in its first phase, and only in its own session", () => {
  expect(openTask(tables, "operator", "triage")).toMatchObject({
    ok: true,
    value: { gate: "auto", rule: undefined, conversation: { row: 2, label: PUBLIC, spent: [0n, 0n] } },
  });
  expect(openTask(tables, "visitor", "tour")).toMatchObject({ ok: true, value: { conversation: { row: 6 } } });
  expect(openTask(tables, "operator", "tour")).toMatchObject({ ok: false });
  expect(openTask(tables, "operator", "")).toMatchObject({ ok: false });
  expect([listTasks(tables, "operator"), listTasks(tables, "visitor")]).toEqual([["triage"], ["tour"]]);
});

test("phases only go forward, may be skipped, and keep the label", () => {
  const here = { ...begun(), label: SECRET };
  expect(listLaterPhases(tables, here)).toEqual(["mend", "report"]);
  const mend = enterPhase(tables, here, "mend");
  expect(mend).toMatchObject({
    ok: true,
    value: { gate: "consent", rule: 1, conversation: { row: 4, label: SECRET } },
  });
  const report = enterPhase(tables, here, "report");
  expect(report).toMatchObject({ ok: true, value: { gate: "stepUp", rule: 0, conversation: { row: 5 } } });
  if (!report.ok) return;
  expect(listLaterPhases(tables, report.value.conversation)).toEqual([]);
  for (const phase of ["look", "mend", "report", "nowhere", ""]) {
    expect(enterPhase(tables, report.value.conversation, phase).ok).toBe(false);
  }
});

test("the counter of a quota keeps its value in the next phase, and the gate before the phase counts as a prompt", () => {
  const mend = enterPhase(tables, { ...begun(), spent: [5n, 1n] }, "mend");
  expect(mend).toMatchObject({ ok: true, value: { conversation: { spent: [2n, 5n] } } });
  if (!mend.ok) return;
  expect(enterPhase(tables, mend.value.conversation, "report")).toEqual({
    ok: false,
    reason: "used up: the second line",
  });
});

test("a conversation outside of a task has no phases", () => {
  const session = { row: 0, label: PUBLIC, unattended: false, spent: [0n] };
  expect(enterPhase(tables, session, "mend").ok).toBe(false);
  expect(listLaterPhases(tables, session)).toEqual([]);
});

test("a conversation that an ingress begins has the label of the ingress", () => {
  expect(openIngress(tables, "desk")).toMatchObject({
    ok: true,
    value: { conversation: { row: 2, label: { confidentiality: 2, integrity: 0 } } },
  });
  expect(openIngress(tables, "door").ok).toBe(false);
});

test("a worker starts with the label and counters of its parent, and returns its own label and counters to the parent", () => {
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

/** Rows of two sessions: the session itself, two phases of each of two tasks, and a worker in each of these places. */
const EVERY: readonly Row[] = ["a", "b"].flatMap((session) =>
  [["", ""] as const, ["t", "p"] as const, ["t", "q"] as const, ["u", "p"] as const, ["u", "q"] as const].flatMap(
    ([task, phase]) =>
      ["", "w"].map((worker) => row(session, [2], { task, phase, worker, phaseIndex: phase === "q" ? 1 : 0 })),
  ),
);

for (const [order, rows] of [
  ["one order", EVERY],
  ["the other", EVERY.toReversed()],
] as const) {
  const every = indexed({ rows });
  const at = (index: number): Conversation => ({ row: index, label: PUBLIC, unattended: false, spent: [] });
  const named = (session: string, task: string, phase: string, worker: string) =>
    rows.findIndex((one) => formatRowPath(one) === formatRowPath({ session, task, phase, worker }));

  test(`a begun session, task, phase or worker has its own row, whatever other rows exist: ${order}`, () => {
    for (const [index, { session, task, phase, worker }] of rows.entries()) {
      if (task === "" && worker === "") expect(openConversation(every, session)?.row).toBe(index);
      if (task !== "" && phase === "p" && worker === "") {
        expect(openTask(every, session, task)).toMatchObject({ value: { conversation: { row: index } } });
        const later = { value: { conversation: { row: named(session, task, "q", "") } } };
        expect(enterPhase(every, at(index), "q")).toMatchObject(later);
      }
      expect(listLaterPhases(every, at(index))).toEqual(phase === "p" && worker === "" ? ["q"] : []);
      const started = startWorker(every, at(index), "w");
      if (worker === "") expect(started).toMatchObject({ value: { row: named(session, task, phase, "w") } });
      else expect(started).toEqual({ ok: false, reason: "a worker starts no workers" });
    }
  });

  test(`a worker returns only to the row that started it: ${order}`, () => {
    for (const [index, parent] of rows.entries()) {
      for (const [own, { session, task, phase, worker }] of rows.entries()) {
        const isChild = worker === "w" && formatRowPath(parent) === formatRowPath({ session, task, phase, worker: "" });
        expect(endWorker(every, at(index), at(own)).ok).toBe(isChild);
      }
    }
  });
}

test("states the reason if a task, phase, ingress or worker cannot begin, or a worker cannot end", () => {
  const reason = (step: { readonly ok: boolean; readonly reason?: string }) => step.reason;
  const here = begun();
  const [session, worker] = [0, 3].map((index) => ({ ...here, row: index }));
  const last = { ...here, row: 5 };
  const nowhere = { ...here, row: 9 };
  if (session === undefined || worker === undefined) throw new Error("two conversations were made");
  expect([
    reason(openTask(tables, "visitor", "triage")),
    reason(enterPhase(tables, session, "mend")),
    reason(enterPhase(tables, nowhere, "mend")),
    reason(enterPhase(tables, worker, "mend")),
    reason(enterPhase(tables, here, "nowhere")),
    reason(enterPhase(tables, last, "mend")),
    reason(enterPhase(tables, last, "report")),
    reason(openIngress(tables, "door")),
    reason(startWorker(tables, nowhere, "digest")),
    reason(startWorker(tables, last, "digest")),
    reason(endWorker(tables, here, nowhere)),
    reason(endWorker(tables, nowhere, worker)),
    reason(endWorker(tables, last, worker)),
  ]).toEqual([
    "no task triage in session visitor",
    "this conversation is in no task",
    "this conversation is in no task",
    "a worker stays in the phase in which it was started",
    "task triage has no phase nowhere",
    "phases go forward only, and this is report",
    "phases go forward only, and this is report",
    "no ingress door",
    "a worker starts no workers",
    "no worker digest can be started here",
    "no worker has answered",
    "no worker has answered",
    "the phase in which it was started is over",
  ]);
  expect(listLaterPhases(tables, nowhere)).toEqual([]);
});

test("a conversation outside every row has no counters", () => {
  const nowhere = { ...begun(), row: 9, spent: [1n] };
  expect(startTurn(tables, nowhere).spent).toEqual([]);
  expect(moveTo(tables, nowhere, 0).spent).toEqual([0n]);
  expect(moveTo(tables, begun(), 9).spent).toEqual([]);
});

test("refuses to begin a task whose gate is forbidden, and an ingress that leads to a missing row", () => {
  const rows = tables.rows.map((one) => ({ ...one, entry: "forbidden" as const }));
  expect(openTask({ ...tables, rows }, "operator", "triage")).toEqual({ ok: false, reason: "this row is closed" });
  const ingresses = tables.ingresses.map((one) => ({ ...one, row: 99 }));
  expect(openIngress({ ...tables, ingresses }, "desk")).toEqual({ ok: false, reason: "no ingress desk" });
});

test("refuses a phase without a name, and finds no phases outside of tasks", () => {
  const odd = indexed({
    rows: [
      row("operator", [2], { task: "t", phase: "look" }),
      row("operator", [2], { task: "t", phase: "", phaseIndex: 1 }),
      row("visitor", [2]),
      row("visitor", [2], { phase: "late", phaseIndex: 1 }),
    ],
  });
  const at = (index: number): Conversation => ({ row: index, label: PUBLIC, unattended: false, spent: [] });
  expect(enterPhase(odd, at(0), "")).toEqual({ ok: false, reason: "task t has no phase " });
  expect(listLaterPhases(odd, at(2))).toEqual([]);
});
