// Serves the ledger on its connections. Only init's grant determines what a call may reach: the task that is assigned to a worker, the
// tasks of a session, or all tasks.

import type { Result } from "../../lib/result/result.ts";
import { accept, refuse } from "../../lib/result/result.ts";
import type { IncomingGrant } from "../../lib/wire/capset.ts";
import { TaskDesk, TaskHost, TaskRecord } from "../../lib/wire/generated/ledger.ts";
import {
  type Failure,
  type HandlersOf,
  type Implementation,
  type InterfaceLayout,
  implement,
  type Methods,
  makeFailure,
  type Serving,
  serveInterface,
} from "../../lib/wire/index.ts";
import { answerApproval, askApproval, startApprovedStep } from "./approvals.ts";
import type { Assignments } from "./assignments.ts";
import { type Deciding, type Decision, requireTask } from "./deciding.ts";
import { convertApproval, convertStep, convertTask, takeFitting } from "./frames.ts";
import type { Ledger } from "./ledger.ts";
import { MAX_READ_BYTES, MOST_ROWS } from "./limits.ts";
import type { Task } from "./rows.ts";
import { beginSchedule, submitRuns } from "./schedules.ts";
import { endStep, reconcileStep, resolveStep, startStep } from "./steps.ts";
import { appendMessages, changeStatus, closeTask, describeTask, submitTask, takeUpTask } from "./tasks.ts";

/**
 * The largest integer that a call may contain, far above any number, id or time of a task. A storage can hold larger integers, so it
 * can also hold a sum of several integers that calls contain.
 */
const HIGHEST = BigInt(Number.MAX_SAFE_INTEGER);

/** Maximum number of a task's steps that a person is shown; earlier steps are left out. */
const MOST_SHOWN_STEPS = 50n;

/** A grant of init. */
export interface LedgerGrant extends Pick<IncomingGrant, "holder" | "interfaceId" | "stream"> {
  /** Whether the holder is cleared for data with this label. */
  readonly mayRead: (label: Uint8Array) => boolean;
}

/**
 * Serves a worker's gate, a session's gate or the host (the process that runs tasks), each over its own interface.
 * Returns `undefined` for any other holder.
 */
export function serveLedger(
  { stream, holder, interfaceId, mayRead }: LedgerGrant,
  ledger: Ledger,
  assignments: Assignments,
): Serving | undefined {
  if (holder === "host" && interfaceId === TaskHost.id)
    return serveInterface(stream, [implementHost(ledger, assignments)]);
  const [, session = "", ingress] = /^gate\.([^.]+)(?:\.([^.]+))?$/.exec(holder) ?? [];
  if (session === "") return undefined;
  if (ingress !== undefined && interfaceId === TaskRecord.id)
    return serveInterface(stream, [implementRecord(ledger, () => assignments.find(holder))]);
  if (ingress === undefined && interfaceId === TaskDesk.id)
    return serveInterface(stream, [implementDesk(ledger, session, mayRead)]);
  return undefined;
}

/** `findTask` returns the worker's present task, or why it has none. */
function implementRecord(ledger: Ledger, findTask: () => Result<bigint>) {
  /** Carries out a decision about the worker's task. */
  const decideOwn = <T, R>(decide: (task: bigint) => Decision<T>, results: (value: T) => R) =>
    answer(
      ledger,
      (deciding) => {
        const task = findTask();
        return task.ok ? decide(task.value)(deciding) : task;
      },
      results,
    );
  return implementBounded(TaskRecord, {
    facts: async () => decideOwn(readTask, (facts) => ({ task: convertTask(facts) })),
    startStep: async ({ start }) =>
      decideOwn(
        (task) => startStep(task, start),
        (number) => ({ number }),
      ),
    startApproved: async ({ start, approval, policy, label }) =>
      decideOwn(
        (task) => startApprovedStep(task, { ...start, approval, policy, label }),
        (started) =>
          "voided" in started
            ? { number: 0n, answers: [], voided: started.voided }
            : {
                number: started.number,
                answers: started.answers.map(({ verdict, ...given }) => ({
                  ...given,
                  approves: verdict === "approve",
                })),
                voided: "",
              },
      ),
    endStep: async ({ number, failed, result }) =>
      decideOwn(
        (task) => endStep(task, number, { state: failed ? "failed" : "done", result }),
        () => ({}),
      ),
    steps: async ({ after, most }) =>
      decideOwn(
        (task) =>
          ({ rows }) =>
            accept(takeFitting(rows.listSteps(task, after, Math.min(most, MOST_ROWS)))),
        (steps) => ({ steps: steps.map(convertStep) }),
      ),
    append: async ({ from, messages }) =>
      decideOwn(
        (task) => appendMessages(task, from, messages),
        (count) => ({ count }),
      ),
    messages: async ({ from }) =>
      decideOwn(
        (task) =>
          ({ rows }) =>
            accept(rows.listMessages(task, from, MAX_READ_BYTES)),
        (messages) => ({ messages }),
      ),
    describe: async (described) =>
      decideOwn(
        (task) => describeTask(task, described),
        () => ({}),
      ),
    ask: async ({ question }) =>
      decideOwn(
        (task) => askApproval({ ...question, task }),
        (approval) => ({ approval }),
      ),
    approvals: async () =>
      decideOwn(
        (task) =>
          ({ rows }) =>
            accept(takeFitting(rows.listApprovals(task).toReversed())),
        (approvals) => ({ approvals: approvals.map(convertApproval) }),
      ),
    finish: async () =>
      decideOwn(
        (task) => changeStatus(task, "finish", ""),
        () => ({}),
      ),
    stop: async ({ cause, reason }) =>
      cause === "block" || cause === "fail"
        ? decideOwn(
            (task) => changeStatus(task, cause, reason),
            () => ({}),
          )
        : makeFailure("failed", `a worker cannot ${cause} its task`),
  });
}

function implementDesk(ledger: Ledger, session: string, mayRead: LedgerGrant["mayRead"]) {
  const reader = { session, name: `gate.${session}`, mayRead };
  /** Carries out a decision about the session's task with this number. */
  const decideTask = <T, R>(
    number: bigint,
    decide: (task: Task, deciding: Deciding) => Result<T>,
    results: (value: T) => R,
  ) =>
    answer(
      ledger,
      (deciding) => {
        const [task] = deciding.rows.listTasks(session, number + 1n, 1);
        return task?.number === number ? decide(task, deciding) : refuse(`the session has no task ${number}`);
      },
      results,
    );
  return implementBounded(TaskDesk, {
    submit: async ({ submission }) =>
      answer(ledger, submitTask({ ...submission, session }), ({ id, number }) => ({ id, number })),
    list: async ({ before, most }) =>
      answer(
        ledger,
        ({ rows }) =>
          accept(takeFitting(rows.listTasks(session, before === 0n ? HIGHEST : before, Math.min(most, MOST_ROWS)))),
        (tasks) => ({ tasks: tasks.map(convertTask) }),
      ),
    show: async ({ number }) =>
      decideTask(
        number,
        (task, { rows }) => {
          const last = rows.findLastStepNumber(task.id);
          const after = last > MOST_SHOWN_STEPS ? last - MOST_SHOWN_STEPS : 0n;
          const newest = rows.listSteps(task.id, after, MOST_ROWS).toReversed();
          const steps = takeFitting(newest, MAX_READ_BYTES / 2).toReversed();
          return accept({
            task,
            steps,
            approvals: takeFitting(rows.listApprovals(task.id).toReversed(), MAX_READ_BYTES / 2),
          });
        },
        ({ task, steps, approvals }) => ({
          task: convertTask(task),
          steps: steps.map(convertStep),
          approvals: approvals.map(convertApproval),
        }),
      ),
    approvals: async ({ most }) =>
      answer(
        ledger,
        ({ rows }) => accept(takeFitting(rows.listPendingApprovals(session, Math.min(most, MOST_ROWS)))),
        (approvals) => ({ approvals: approvals.map(convertApproval) }),
      ),
    answer: async ({ approval, answer: { principal, approves, surface, mac } }) =>
      answer(
        ledger,
        (deciding) => {
          const asked = deciding.rows.findApproval(approval);
          const task = asked && deciding.rows.findTask(asked.task);
          if (task?.session !== session) return refuse("there is no such approval");
          return answerApproval(approval, { principal, verdict: approves ? "approve" : "deny", surface, mac })(
            deciding,
          );
        },
        ({ state }) => ({ state }),
      ),
    cancel: async ({ number, reason }) =>
      decideTask(
        number,
        ({ id }, deciding) => changeStatus(id, "cancel", reason)(deciding),
        () => ({}),
      ),
    takeUp: async ({ number, policy }) =>
      decideTask(
        number,
        ({ id }, deciding) => takeUpTask(id, policy)(deciding),
        ({ status }) => ({ status }),
      ),
    resolve: async ({ number, step, happened, by, note }) =>
      decideTask(
        number,
        ({ id }, deciding) => resolveStep(id, step, { state: happened ? "done" : "failed", by, note })(deciding),
        () => ({}),
      ),
    close: async ({ number, purge }) =>
      decideTask(
        number,
        ({ id }, deciding) => closeTask(id, purge ? "purge" : "archive")(deciding),
        () => ({}),
      ),
    events: async ({ cursor }) => convertResult(ledger.readEvents(reader, cursor), (page) => page),
  });
}

function implementHost(ledger: Ledger, assignments: Assignments) {
  return implementBounded(TaskHost, {
    open: async ({ after, most }) =>
      answer(
        ledger,
        ({ rows }) => accept(takeFitting(rows.listOpenTasks(after, Math.min(most, MOST_ROWS)))),
        (tasks) => ({ tasks: tasks.map(convertTask) }),
      ),
    change: async ({ task, cause, reason }) =>
      cause === "finish" || cause === "cancel"
        ? makeFailure("failed", `the host cannot ${cause} a task`)
        : answer(ledger, changeStatus(task, cause, reason), ({ status }) => ({ status })),
    interrupted: async ({ most }) =>
      answer(
        ledger,
        ({ rows, run }) => accept(takeFitting(rows.listInterruptedSteps(run, Math.min(most, MOST_ROWS)))),
        (steps) => ({ steps: steps.map(convertStep) }),
      ),
    reconcile: async ({ task, number, finding }) =>
      answer(ledger, reconcileStep(task, number, finding), ({ state }) => ({ state })),
    beginSchedule: async ({ name }) => answer(ledger, beginSchedule(name), (through) => ({ through })),
    submitRuns: async ({ session, submission, ...due }) =>
      answer(ledger, submitRuns({ ...due, submission: { ...submission, session } }), (submitted) => ({
        numbers: submitted.map(({ number }) => number),
      })),
    expire: async () =>
      convertResult(await ledger.expire(), (changed) => ({ changed: BigInt(changed), at: ledger.at })),
    assign: async ({ worker, task }) =>
      answer(ledger, assignments.assign(worker, task), (assigned) => ({ task: convertTask(assigned) })),
    withdraw: async ({ worker }) => {
      assignments.withdraw(worker);
      return {};
    },
  });
}

/** Returns an interface that refuses parameters with an integer above `HIGHEST`, before its handlers read them. */
function implementBounded<M extends Methods>(layout: InterfaceLayout<M>, handlers: HandlersOf<M>): Implementation {
  const bounded = Object.entries(handlers).map(([name, handle]) => [
    name,
    async (params: unknown, context: never) =>
      hasExcessive(params) ? makeFailure("failed", `an integer is above ${HIGHEST}`) : handle(params as never, context),
  ]);
  return implement(layout, Object.fromEntries(bounded) as HandlersOf<M>);
}

function hasExcessive(value: unknown): boolean {
  if (typeof value === "bigint") return value > HIGHEST;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false;
  return Object.values(value).some(hasExcessive);
}

function readTask(id: bigint): Decision<Task> {
  return (deciding) => requireTask(deciding, id);
}

async function answer<T, R>(ledger: Ledger, decision: Decision<T>, results: (value: T) => R): Promise<R | Failure> {
  return convertResult(await ledger.decide(decision), results);
}

function convertResult<T, R>(done: Result<T>, results: (value: T) => R): R | Failure {
  return done.ok ? results(done.value) : makeFailure("failed", done.reason);
}
