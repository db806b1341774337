// Converts rows of the ledger to values of frames. An answer is one frame, so lists are cut to what fits.

import type { ApprovalFacts, StepFacts, TaskFacts } from "../../lib/wire/generated/ledger.ts";
import { MAX_READ_BYTES } from "./limits.ts";
import type { Approval, Step, Task } from "./rows.ts";

/** Bytes of the fixed parts of a row in a frame; larger than any row needs. */
const ROW_BYTES = 256;

export function convertTask(task: Task): TaskFacts {
  const { id, session, number, status, reason, objective, created, changed, messages, isArchived } = task;
  const { name, request, requester, ingress, policy, label, model, harness, deadline } = task;
  return {
    id,
    session,
    number,
    status,
    reason,
    submission: { name, request, requester, ingress, policy, label, model, harness, deadline },
    objective,
    created,
    changed,
    messages,
    isArchived,
  };
}

export function convertStep({ task, number, state, kind, what, call, result, run, started, ended }: Step): StepFacts {
  return { task, number, state, start: { kind, what, call }, result, run, started, ended };
}

export function convertApproval(approval: Approval): ApprovalFacts {
  const { id, task, state, reason, tool, call, policy, label, askedOf, quorum, deadline, asked, step } = approval;
  const question = { tool, call, arguments: approval.arguments, policy, label, askedOf, quorum, deadline };
  return { id, task, state, reason, question, asked, step };
}

/** Returns the first rows that fit into `mostBytes` together. The first row is always returned, because each row fits into a frame. */
export function takeFitting<T extends object>(rows: readonly T[], mostBytes: number = MAX_READ_BYTES): readonly T[] {
  let size = 0;
  const excess = rows.findIndex((row, index) => {
    size += measureRow(row);
    return size > mostBytes && index > 0;
  });
  return excess < 0 ? rows : rows.slice(0, excess);
}

function measureRow(row: object): number {
  return Object.values(row).reduce((size: number, value) => {
    if (typeof value === "string") return size + Buffer.byteLength(value);
    if (value instanceof Uint8Array) return size + value.length;
    return Array.isArray(value) ? size + measureRow(value) : size;
  }, ROW_BYTES);
}
