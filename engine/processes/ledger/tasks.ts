// Decisions about tasks: their submission, status, history and end.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { boundLabel, boundNames, findExcess, findWrongDigest } from "./bounds.ts";
import { type Deciding, type Decision, requireTask, tell } from "./deciding.ts";
import { MAX_REASON_BYTES, MAX_REQUEST_BYTES, MAX_RESULT_BYTES, MOST_MESSAGES, MOST_OPEN_TASKS } from "./limits.ts";
import type { Message, Task } from "./rows.ts";
import { type Cause, findNext, isEnded } from "./statuses.ts";

/** A request for a task. The ledger adds the id, the number and the history. */
export type Submission = Pick<
  Task,
  "session" | "name" | "request" | "requester" | "ingress" | "policy" | "label" | "model" | "harness" | "deadline"
>;

/** Submits a task. Returns its id and its number in the session. */
export function submitTask(submission: Submission): Decision<Pick<Task, "id" | "number">> {
  return (deciding) => {
    const { session, name, requester, ingress, model, harness, request, label, policy, deadline } = submission;
    const excess =
      findExcess({
        ...boundNames({ session, name, requester, ingress, model, harness }),
        request: [request, MAX_REQUEST_BYTES],
        label: boundLabel(label),
      }) ?? findWrongDigest({ policy });
    if (excess !== undefined) return excess;
    const { rows, at } = deciding;
    if (deadline <= at) return refuse("the deadline of the task has passed");
    if (rows.countOpenTasks(session) >= MOST_OPEN_TASKS)
      return refuse(`the session has ${MOST_OPEN_TASKS} tasks that have not ended`);
    const number = rows.takeTaskNumber(session);
    const task: Omit<Task, "id"> = {
      ...submission,
      number,
      status: "open",
      reason: "",
      objective: "",
      created: at,
      changed: at,
      messages: 0n,
      isArchived: false,
    };
    const id = rows.addTask(task);
    tell(deciding, { ...task, id }, "submitted", `${name} by ${requester === "" ? ingress : requester}`);
    return accept({ id, number });
  };
}

/**
 * Causes of a change of status that a client may state. The ledger itself states `ask`, `answer`, `takeUp` and
 * `expire`.
 */
type ClientCause = Exclude<Cause, "answer" | "ask" | "expire" | "takeUp">;

/** Changes the status of a task. `reason` states why, for people; for `done` it may be empty. */
export function changeStatus(id: bigint, cause: ClientCause, reason: string): Decision<Task> {
  return (deciding) => {
    const excess = findExcess({ reason: [reason, MAX_REASON_BYTES] });
    if (excess !== undefined) return excess;
    const task = requireTask(deciding, id);
    if (!task.ok) return task;
    // A task is not done while it is unknown whether one of its changes happened.
    if (cause === "accept" && deciding.rows.listUnsettledSteps(id).length > 0)
      return refuse("a step of the task has not ended");
    return moveTask(deciding, task.value, cause, reason);
  };
}

/** Continues a blocked task under the present tables, as a person decided. If approvals of the task are pending, the task waits for them. */
export function takeUpTask(id: bigint, policy: Uint8Array): Decision<Task> {
  return (deciding) => {
    const wrong = findWrongDigest({ policy });
    if (wrong !== undefined) return wrong;
    const task = requireTask(deciding, id);
    if (!task.ok) return task;
    const unknown = deciding.rows.listUnsettledSteps(id).find(({ state }) => state === "unknown");
    if (unknown !== undefined) return refuse(`step ${unknown.number} may have run: state first whether it did`);
    const moved = moveTask(deciding, { ...task.value, policy }, "takeUp", "");
    const isAsked = deciding.rows.countPendingApprovals(id) > 0;
    return moved.ok && isAsked ? moveTask(deciding, moved.value, "ask", "") : moved;
  };
}

/**
 * Changes the status of a task as the table of transitions states. If the task ends, its approvals become void, so that nobody approves a
 * call that cannot run. A blocked task keeps its approvals, so that people are not asked twice; each call is decided anew before it runs.
 */
export function moveTask(deciding: Deciding, task: Task, cause: Cause, reason: string): Result<Task> {
  const { rows, at } = deciding;
  const status = findNext(task.status, cause);
  if (status === undefined) return refuse(`a task that is ${task.status} refuses '${cause}'`);
  const moved: Task = { ...task, status, reason, changed: at };
  if (isEnded(status)) {
    for (const approval of rows.listApprovals(task.id))
      if (approval.state === "pending" || approval.state === "approved") {
        rows.putApproval({ ...approval, state: "void", reason: `the task is ${status}` });
        tell(deciding, task, "decided", `approval ${approval.id} is void: the task is ${status}`);
      }
  }
  rows.putTask(moved);
  if (status !== task.status) tell(deciding, moved, "status", reason === "" ? status : `${status}: ${reason}`);
  return accept(moved);
}

/** Stores the objective of a task, and the label of everything that the task has read so far. */
export function describeTask(id: bigint, { objective, label }: Pick<Task, "label" | "objective">): Decision<true> {
  return (deciding) => {
    const excess = findExcess({ objective: [objective, MAX_REQUEST_BYTES], label: boundLabel(label) });
    if (excess !== undefined) return excess;
    const task = requireTask(deciding, id);
    if (!task.ok) return task;
    if (isEnded(task.value.status)) return refuse(`the task is ${task.value.status}`);
    deciding.rows.putTask({ ...task.value, objective, label, changed: deciding.at });
    return accept(true);
  };
}

/**
 * Appends messages to the history of a task. `from` is the number of messages that the caller knows: if another message was added since,
 * nothing is stored. Returns the new number of messages.
 */
export function appendMessages(id: bigint, from: bigint, messages: readonly Message[]): Decision<bigint> {
  return (deciding) => {
    if (messages.length > MOST_MESSAGES) return refuse(`${MOST_MESSAGES} messages at a time are the maximum`);
    for (const { bytes, digest } of messages) {
      const excess = findExcess({ message: [bytes, MAX_RESULT_BYTES] }) ?? findWrongDigest({ digest });
      if (excess !== undefined) return excess;
    }
    const task = requireTask(deciding, id);
    if (!task.ok) return task;
    if (isEnded(task.value.status)) return refuse(`the task is ${task.value.status}`);
    if (task.value.messages !== from) return refuse(`the history has ${task.value.messages} messages, not ${from}`);
    for (const [index, message] of messages.entries()) deciding.rows.addMessage(id, from + BigInt(index), message);
    const count = from + BigInt(messages.length);
    deciding.rows.putTask({ ...task.value, messages: count, changed: deciding.at });
    return accept(count);
  };
}

/** Hides an ended task from lists, or removes it with everything that belongs to it. */
export function closeTask(id: bigint, how: "archive" | "purge"): Decision<true> {
  return (deciding) => {
    const task = requireTask(deciding, id);
    if (!task.ok) return task;
    if (!isEnded(task.value.status)) return refuse(`the task is ${task.value.status}; cancel it first`);
    if (how === "purge") {
      // The event `purged` stays when the task's other events are removed. So their numbers are not used again, and the
      // clock does not go back.
      tell(deciding, task.value, "purged", `task ${task.value.number} was removed`);
      deciding.rows.removeTask(task.value);
    } else {
      deciding.rows.putTask({ ...task.value, isArchived: true });
      tell(deciding, task.value, "archived", "archived");
    }
    return accept(true);
  };
}
