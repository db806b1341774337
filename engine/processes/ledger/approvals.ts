// Decisions about approvals. The ledger stores approvals so that they survive a restart, but nobody has to trust the
// ledger. Each answer carries a MAC of the broker. Before the call runs, the gate checks this MAC and decides the call
// anew.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { boundLabel, boundNames, findExcess, findWrongDigest } from "./bounds.ts";
import { type Deciding, type Decision, requireTask, tell } from "./deciding.ts";
import { MAX_ARGUMENTS_BYTES, MAX_REASON_BYTES, MOST_ASKED, MOST_PENDING, MOST_ROWS } from "./limits.ts";
import type { Answer, Approval } from "./rows.ts";
import { recordStart, requireStartable, type StepStart } from "./steps.ts";
import { moveTask } from "./tasks.ts";

export type Question = Pick<
  Approval,
  "arguments" | "askedOf" | "call" | "deadline" | "label" | "policy" | "quorum" | "task" | "tool"
>;

/** Asks people to approve a call. Returns the id of the approval. */
export function askApproval(question: Question): Decision<bigint> {
  return (deciding) => {
    const { tool, call, policy, label, askedOf, quorum, deadline } = question;
    const excess =
      findExcess({
        ...boundNames({ tool, ...Object.fromEntries(askedOf.map((name) => [name, name])) }),
        label: boundLabel(label),
        arguments: [question.arguments, MAX_ARGUMENTS_BYTES],
      }) ?? findWrongDigest({ call, policy });
    if (excess !== undefined) return excess;
    if (new Set(askedOf).size !== askedOf.length) return refuse("a principal is named twice");
    if (askedOf.length > MOST_ASKED) return refuse(`${MOST_ASKED} principals are the maximum`);
    if (!Number.isInteger(quorum) || quorum < 1 || quorum > askedOf.length)
      return refuse(`${quorum} of ${askedOf.length} principals cannot approve`);
    const { rows, at } = deciding;
    if (deadline <= at) return refuse("the deadline of the approval has passed");
    const task = requireTask(deciding, question.task);
    if (!task.ok) return task;
    if (rows.countPendingApprovals(question.task) >= MOST_PENDING)
      return refuse(`${MOST_PENDING} approvals of the task are pending`);
    const moved = moveTask(deciding, task.value, "ask", "");
    if (!moved.ok) return moved;
    const id = rows.addApproval({ ...question, state: "pending", reason: "", asked: at, step: 0n });
    tell(deciding, moved.value, "asked", `approval ${id}: ${tool}, ${quorum} of ${askedOf.join(", ")}`);
    return accept(id);
  };
}

type GivenAnswer = Pick<Answer, "mac" | "principal" | "surface" | "verdict">;

/**
 * Records an answer. The first answer of each principal counts. An approval is decided once. The first denial denies
 * it, and it is approved when the number of principals who approve reaches the quorum. Returns the approval with its
 * new state.
 */
export function answerApproval(id: bigint, { principal, verdict, surface, mac }: GivenAnswer): Decision<Approval> {
  return (deciding) => {
    const excess = findExcess({ ...boundNames({ principal, surface }), mac: [mac, 64] });
    if (excess !== undefined) return excess;
    const { rows, at } = deciding;
    const approval = rows.findApproval(id);
    if (approval === undefined) return refuse("there is no such approval");
    if (approval.state !== "pending") return refuse(`the approval is ${describeState(approval)}`);
    if (approval.deadline <= at) return refuse("the deadline of the approval has passed");
    if (!approval.askedOf.includes(principal)) return refuse(`${principal} may not answer this approval`);
    const earlier = rows.listAnswers(id);
    if (earlier.some((answer) => answer.principal === principal)) return refuse(`${principal} has answered already`);
    rows.addAnswer({ approval: id, principal, verdict, surface, mac, at });
    const state = decideState(approval, [...earlier.map((answer) => answer.verdict), verdict]);
    const reason = state === "denied" ? `${principal} denied it` : "";
    return settle(deciding, { ...approval, state, reason }, `${principal} answers ${verdict} on ${surface}`);
  };
}

function decideState({ quorum }: Approval, verdicts: readonly Answer["verdict"][]): Approval["state"] {
  if (verdicts.includes("deny")) return "denied";
  return verdicts.length >= quorum ? "approved" : "pending";
}

/**
 * Stores an approval after an answer or the deadline, and continues its task if no approval of the task is pending any more. Fails if the
 * approval's task does not exist.
 */
function settle(deciding: Deciding, approval: Approval, said: string): Result<Approval> {
  const { rows } = deciding;
  const task = requireTask(deciding, approval.task);
  if (!task.ok) return task;
  rows.putApproval(approval);
  tell(deciding, task.value, "answered", `approval ${approval.id}: ${said}`);
  if (approval.state === "pending") return accept(approval);
  tell(deciding, task.value, "decided", `approval ${approval.id} is ${describeState(approval)}`);
  const isLast = rows.countPendingApprovals(approval.task) === 0;
  if (isLast && task.value.status === "needsApproval") {
    const moved = moveTask(deciding, task.value, "answer", "");
    if (!moved.ok) return moved;
  }
  return accept(approval);
}

/** A step that executes an approved call, with the label and the tables under which the gate decides the call now. */
export interface ApprovedStart extends StepStart, Pick<Approval, "label" | "policy"> {
  readonly approval: bigint;
}

/**
 * Starts a step with an approved call, once. The caller has decided the call anew under the tables of `policy`, at
 * `label`. If people approved it under other tables or another label, the approval becomes void and nothing starts.
 * Returns the step and the answers with their MACs.
 */
export function startApprovedStep(
  id: bigint,
  start: ApprovedStart,
): Decision<{ readonly number: bigint; readonly answers: readonly Answer[] } | { readonly voided: string }> {
  return (deciding) => {
    const { rows } = deciding;
    const approval = rows.findApproval(start.approval);
    if (approval === undefined || approval.task !== id) return refuse("the task has no such approval");
    if (approval.state !== "approved") return refuse(`the approval is ${describeState(approval)}`);
    const task = requireStartable(deciding, id, start);
    if (!task.ok) return task;
    const voided = findDifference(approval, start);
    if (voided !== undefined) {
      rows.putApproval({ ...approval, state: "void", reason: voided });
      tell(deciding, task.value, "decided", `approval ${approval.id} is void: ${voided}`);
      return accept({ voided });
    }
    const number = recordStart(deciding, task.value, start);
    rows.putApproval({ ...approval, state: "used", step: number });
    tell(deciding, task.value, "decided", `approval ${approval.id} is used by step ${number}`);
    return accept({ number, answers: rows.listAnswers(approval.id) });
  };
}

function findDifference(approval: Approval, now: Pick<Approval, "call" | "label" | "policy">): string | undefined {
  const isSame = (part: "call" | "label" | "policy") => Buffer.compare(approval[part], now[part]) === 0;
  if (!isSame("call")) return "it was given for another call";
  if (!isSame("policy")) return "the policy tables have changed";
  return isSame("label") ? undefined : "the label of the task has changed";
}

/** Makes an approval void, for example because the resource that it changes has another version now. */
export function voidApproval(id: bigint, reason: string): Decision<true> {
  return (deciding) => {
    const excess = findExcess({ reason: [reason, MAX_REASON_BYTES] });
    if (excess !== undefined) return excess;
    const approval = deciding.rows.findApproval(id);
    if (approval === undefined) return refuse("there is no such approval");
    if (approval.state !== "pending" && approval.state !== "approved")
      return refuse(`the approval is ${describeState(approval)}`);
    const settled = settle(deciding, { ...approval, state: "void", reason }, "no answer is needed any more");
    return settled.ok ? accept(true) : settled;
  };
}

/**
 * Denies approvals and expires tasks whose deadline has passed. Returns how many approvals and tasks were changed; the
 * caller repeats the decision until it changes none.
 */
export function expireDue(): Decision<number> {
  return (deciding) => {
    const { rows, at } = deciding;
    const approvals = rows.listOverdueApprovals(at, MOST_ROWS);
    for (const approval of approvals) {
      const reason = "nobody answered before the deadline";
      const settled = settle(deciding, { ...approval, state: "denied", reason }, reason);
      if (!settled.ok) return settled;
    }
    const tasks = rows.listOverdueTasks(at, MOST_ROWS);
    for (const task of tasks) {
      const moved = moveTask(deciding, task, "expire", "its deadline passed");
      if (!moved.ok) return moved;
    }
    return accept(approvals.length + tasks.length);
  };
}

function describeState({ state, reason }: Approval): string {
  return reason === "" ? state : `${state}: ${reason}`;
}
