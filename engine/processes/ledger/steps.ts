// Decisions about steps. A step is `started` on the disk before its effect. After a crash, a change that was started is
// never repeated automatically. If the log of the machine does not show that the change did not run, the change is
// `unknown`, and a person states what happened.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { boundNames, findExcess, findWrongDigest } from "./bounds.ts";
import { type Deciding, type Decision, requireTask, tell } from "./deciding.ts";
import { MAX_NAME_BYTES, MAX_REASON_BYTES, MAX_RESULT_BYTES } from "./limits.ts";
import type { Step, Task } from "./rows.ts";
import { isEnded } from "./statuses.ts";
import { moveTask } from "./tasks.ts";

export type StepStart = Pick<Step, "call" | "kind" | "what">;

/** Starts a step. When its number is returned, the start is on the disk, and the effect may begin. */
export function startStep(id: bigint, start: StepStart): Decision<bigint> {
  return (deciding) => {
    const task = requireStartable(deciding, id, start);
    return task.ok ? accept(recordStart(deciding, task.value, start)) : task;
  };
}

/** Returns the task if it may start this step, or a refusal. */
export function requireStartable(deciding: Deciding, id: bigint, { what, call }: StepStart): Result<Task> {
  const excess = findExcess(boundNames({ what })) ?? findWrongDigest({ call });
  if (excess !== undefined) return excess;
  const task = requireTask(deciding, id);
  if (!task.ok) return task;
  const { status } = task.value;
  if (status !== "open" && status !== "reviewing") return refuse(`the task is ${status}`);
  const earlier = deciding.rows
    .listUnsettledSteps(id)
    .find((step) => step.state === "unknown" || step.run < deciding.run);
  return earlier === undefined ? task : refuse(`step ${earlier.number} of an earlier run is not settled`);
}

/** Records the start of a step, and returns its number. */
export function recordStart(deciding: Deciding, task: Task, { kind, what, call }: StepStart): bigint {
  const { rows, at, run } = deciding;
  const number = rows.findLastStepNumber(task.id) + 1n;
  const end = { result: new Uint8Array(), ended: 0n };
  rows.addStep({ task: task.id, number, kind, state: "started", what, call, run, started: at, ...end });
  tell(deciding, task, "stepStarted", `${number} ${kind} ${what}`);
  return number;
}

/** Ends a step of this run. A task that was cancelled meanwhile still records what its last step did. */
export function endStep(
  id: bigint,
  number: bigint,
  { state, result }: { readonly state: "done" | "failed"; readonly result: Uint8Array },
): Decision<true> {
  return (deciding) => {
    const excess = findExcess({ result: [result, MAX_RESULT_BYTES] });
    if (excess !== undefined) return excess;
    const task = requireTask(deciding, id);
    if (!task.ok) return task;
    const { rows, at, run } = deciding;
    const step = rows.findStep(id, number);
    if (step === undefined) return refuse(`there is no step ${number}`);
    if (step.state !== "started" || step.run !== run) return refuse(`step ${number} is ${step.state}`);
    rows.endStep({ ...step, state, result, ended: at });
    tell(deciding, task.value, "stepEnded", `${number} ${state}`);
    return accept(true);
  };
}

/**
 * Evidence in the log of the machine about a step that a crash interrupted. `notRun`: there is no intent, so nothing happened. `ran`: there
 * is an outcome. `unknown`: there is an intent without an outcome.
 */
export type Finding = "notRun" | "ran" | "unknown";

/**
 * Settles a step of an earlier run. A step that did not run, and a step that only reads or asks a model, is `abandoned` and may be started
 * again. A change that may have run becomes `unknown`, and its task is blocked.
 */
export function reconcileStep(id: bigint, number: bigint, finding: Finding): Decision<Step> {
  return (deciding) => {
    const found = requireTask(deciding, id);
    if (!found.ok) return found;
    const { rows, at, run } = deciding;
    const step = rows.findStep(id, number);
    if (step === undefined) return refuse(`there is no step ${number}`);
    if (step.state !== "started" || step.run >= run) return refuse(`step ${number} was not interrupted`);
    const isRepeatable = finding === "notRun" || step.kind !== "change";
    const settled: Step = { ...step, state: isRepeatable ? "abandoned" : "unknown", ended: at };
    const task = found.value;
    if (
      settled.state === "unknown" &&
      (task.status === "open" || task.status === "reviewing" || task.status === "needsApproval")
    ) {
      const moved = moveTask(deciding, task, "block", `step ${number} (${step.what}) may have run`);
      if (!moved.ok) return moved;
    }
    rows.endStep(settled);
    if (finding === "notRun" && !isEnded(task.status)) returnApproval(deciding, step);
    tell(deciding, task, "stepEnded", `${number} ${settled.state}`);
    return accept(settled);
  };
}

/** Makes the approval of a step that did not run usable again, so that people are not asked twice. */
function returnApproval({ rows }: Deciding, step: Step): void {
  const used = rows.listApprovals(step.task).find((one) => one.state === "used" && one.step === step.number);
  if (used !== undefined) rows.putApproval({ ...used, state: "approved", step: 0n });
}

/** Records what a person states about an unknown step. The step never runs again; the worker gets the statement as the step's result. */
export function resolveStep(
  id: bigint,
  number: bigint,
  { state, by, note }: { readonly state: "done" | "failed"; readonly by: string; readonly note: string },
): Decision<true> {
  return (deciding) => {
    const excess = findExcess({ by: [by, MAX_NAME_BYTES], note: [note, MAX_REASON_BYTES] });
    if (excess !== undefined) return excess;
    if (by === "") return refuse("only a person can state what happened");
    const task = requireTask(deciding, id);
    if (!task.ok) return task;
    const { rows, at } = deciding;
    const step = rows.findStep(id, number);
    if (step === undefined) return refuse(`there is no step ${number}`);
    if (step.state !== "unknown") return refuse(`step ${number} is ${step.state}`);
    rows.endStep({ ...step, state, result: Buffer.from(note), ended: at });
    tell(deciding, task.value, "stepEnded", `${number} ${state}, as ${by} states`);
    return accept(true);
  };
}
