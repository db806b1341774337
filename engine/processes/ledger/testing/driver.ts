// A worker in miniature for tests of crashes. Like a durable worker, it carries out the plan of each task step by step.
// Beside the ledger it uses a log of the machine, with intents and outcomes. After a crash the worker has only the
// ledger and this log.

import { answerApproval, askApproval, startApprovedStep } from "../approvals.ts";
import type { Deciding, Decision } from "../deciding.ts";
import type { Approval, Step, StepKind, Task } from "../rows.ts";
import { endStep, type Finding, reconcileStep, resolveStep, startStep } from "../steps.ts";
import { changeStatus, takeUpTask } from "../tasks.ts";
import { digest } from "./world.ts";

/**
 * Stands for the audit log, and for the effects of calls outside of the ledger. A crash of the ledger does not change
 * it, because another process keeps the log on its own disk.
 */
interface MachineLog {
  /** Calls whose intent is on the disk, as `task:action`. */
  readonly intents: string[];
  readonly outcomes: Set<string>;
  /** How often each change took effect in the world. */
  readonly effects: Map<string, number>;
  /** How often people were asked about each call. */
  readonly asked: Map<string, number>;
}

export function makeMachineLog(): MachineLog {
  return { intents: [], outcomes: new Set(), effects: new Map(), asked: new Map() };
}

/** One action of a task's plan. `approved` is a change that needs an approval. */
type Action = StepKind | "approved";

/** Carries out a decision; throws at a crash. */
export type Decide = <T>(decision: Decision<T>) => T;

const ACTIONS: readonly Action[] = ["read", "change", "model", "approved"];

/** Returns the plan of a task. The plan depends only on the task's number, so a resumed worker has the same plan. */
function planOf(task: bigint): readonly Action[] {
  const length = 2 + Number(task % 4n);
  return Array.from({ length }, (_, index) => ACTIONS[Number((task * 7n + BigInt(index) * 3n) % 4n)] ?? "read");
}

const POLICY = digest(7);
const callOf = (task: bigint, action: number): Uint8Array => digest(Number(task) * 100 + action);
const nameOf = (task: bigint, action: number): string => `${task}:${action}`;

/** Settles the steps that a crash interrupted, by the log of the machine. A worker does this first in each run. */
export function recover(decide: Decide, log: MachineLog): void {
  const interrupted = decide<readonly Step[]>(({ rows, run }) => ({
    ok: true,
    value: rows.listInterruptedSteps(run, 1000),
  }));
  for (const { task, number, call } of interrupted) {
    const action = actionOf(call, task);
    const name = nameOf(task, action);
    const ran: Finding = log.outcomes.has(name) ? "ran" : "unknown";
    decide(reconcileStep(task, number, log.intents.includes(name) ? ran : "notRun"));
  }
}

function actionOf(call: Uint8Array, task: bigint): number {
  return new DataView(call.buffer, call.byteOffset).getUint32(0) - Number(task) * 100;
}

/** Advances a task by one action. `chance` returns numbers from 0 to 1. Returns the status that the task had before. */
export function advance(decide: Decide, log: MachineLog, id: bigint, chance: () => number): string {
  const task = decide<Task>((deciding) => findTask(deciding, id));
  if (task.status === "needsApproval") answerSome(decide, task, chance);
  else if (task.status === "blocked") unblock(decide, log, task);
  else if (task.status === "reviewing") decide(changeStatus(id, chance() < 0.8 ? "accept" : "reject", "verified"));
  else if (task.status === "open") work(decide, log, task);
  return task.status;
}

function findTask({ rows }: Deciding, id: bigint) {
  const task = rows.findTask(id);
  if (task === undefined) throw new Error(`the acknowledged task ${id} is lost`);
  return { ok: true as const, value: task };
}

function work(decide: Decide, log: MachineLog, task: Task): void {
  const plan = planOf(task.id);
  const { steps, approvals } = decide<{ steps: readonly Step[]; approvals: readonly Approval[] }>(({ rows }) => ({
    ok: true,
    value: { steps: rows.listSteps(task.id, 0n, 1000), approvals: rows.listApprovals(task.id) },
  }));
  const settled = new Set(
    steps.filter(({ state }) => state === "done" || state === "failed").map(({ call }) => actionOf(call, task.id)),
  );
  const denied = approvals.filter(({ state }) => state === "denied").map(({ call }) => actionOf(call, task.id));
  const next = plan.findIndex((_, index) => !settled.has(index) && !denied.includes(index));
  if (next < 0) {
    decide(changeStatus(task.id, "finish", ""));
    return;
  }
  const call = callOf(task.id, next);
  if (plan[next] !== "approved") {
    const kind = plan[next] ?? "read";
    const number = decide(startStep(task.id, { kind, what: "tool", call }));
    run(decide, log, task.id, { action: next, number });
    return;
  }
  const approval = approvals.find((one) => Buffer.compare(one.call, call) === 0 && one.state !== "void");
  if (approval === undefined) {
    const asked = { task: task.id, tool: "tool", call, arguments: new Uint8Array(), policy: POLICY, label: task.label };
    const people = { askedOf: ["alice", "bob"], quorum: 2, deadline: task.deadline };
    decide(askApproval({ ...asked, ...people }));
    log.asked.set(nameOf(task.id, next), (log.asked.get(nameOf(task.id, next)) ?? 0) + 1);
    return;
  }
  const start = {
    approval: approval.id,
    kind: "change" as const,
    what: "tool",
    call,
    policy: POLICY,
    label: task.label,
  };
  const started = decide(startApprovedStep(task.id, start));
  if ("number" in started) run(decide, log, task.id, { action: next, number: started.number });
}

interface Started {
  readonly action: number;
  /** Number of the step. */
  readonly number: bigint;
}

/** Carries out a step: records the intent, then causes the effect, then records the outcome and ends the step. */
function run(decide: Decide, log: MachineLog, task: bigint, { action, number }: Started): void {
  const name = nameOf(task, action);
  const isChange = ["approved", "change"].includes(planOf(task)[action] ?? "");
  // The test may let the machine die at each decision. So decisions that change nothing stand before and after the
  // intent, and after the effect.
  decide<true>(() => ({ ok: true, value: true }));
  log.intents.push(name);
  decide<true>(() => ({ ok: true, value: true }));
  // A read, or a question to a model, may be repeated.
  if (isChange) log.effects.set(name, (log.effects.get(name) ?? 0) + 1);
  decide<true>(() => ({ ok: true, value: true }));
  log.outcomes.add(name);
  decide(endStep(task, number, { state: "done", result: Buffer.from(name) }));
}

function answerSome(decide: Decide, task: Task, chance: () => number): void {
  const approvals = decide<readonly Approval[]>(({ rows }) => ({ ok: true, value: rows.listApprovals(task.id) }));
  const pending = approvals.find(({ state }) => state === "pending");
  if (pending === undefined) throw new Error("the task waits for no approval");
  const answered = decide<readonly string[]>(({ rows }) => ({
    ok: true,
    value: rows.listAnswers(pending.id).map(({ principal }) => principal),
  }));
  const principal = ["alice", "bob"].find((name) => !answered.includes(name)) ?? "alice";
  const verdict = chance() < 0.8 ? "approve" : "deny";
  decide(answerApproval(pending.id, { principal, verdict, surface: "console", mac: digest(1) }));
}

/** Plays a person who finds out what happened in unknown steps, states it, and takes the task up. */
function unblock(decide: Decide, log: MachineLog, task: Task): void {
  const unknown = decide<readonly Step[]>(({ rows }) => ({ ok: true, value: rows.listUnsettledSteps(task.id) }));
  for (const { number, call } of unknown) {
    const happened = (log.effects.get(nameOf(task.id, actionOf(call, task.id))) ?? 0) > 0;
    decide(resolveStep(task.id, number, { state: happened ? "done" : "failed", by: "alice", note: "seen" }));
  }
  decide(takeUpTask(task.id, POLICY));
}
