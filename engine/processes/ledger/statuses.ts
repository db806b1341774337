// The statuses of a task, and the transitions between them: the one table that the ledger, its tests and the diagram in STATUSES.md share.
// The statuses are those of seed 2 (AgentTask).

/** All statuses, in the order of their numbers in the file. A number never changes its meaning. */
export const STATUSES = [
  "open",
  "blocked",
  "needsApproval",
  "reviewing",
  "done",
  "failed",
  "cancelled",
  "expired",
] as const;

export type Status = (typeof STATUSES)[number];

/** Causes for which the status of a task changes. */
export const CAUSES = [
  "ask", // a call of the task needs an approval
  "answer", // no approval of the task is pending any more
  "block", // work cannot continue without a person: other tables, a logout, a step that may have run
  "takeUp", // a person continues a blocked task
  "finish", // the worker reports that the work is done
  "accept", // the declared verification passed
  "reject", // the declared verification failed, and work continues
  "fail", // a budget is used up, or a part failed that is not retried
  "cancel", // a person cancels the task
  "expire", // the deadline passed
] as const;

export type Cause = (typeof CAUSES)[number];

type Transitions = Readonly<Partial<Record<Cause, Status>>>;

/** A task that has ended in any way never changes its status again. */
const ENDED: Transitions = {};

/** The status after each cause; a cause without an entry is refused. */
const TRANSITIONS: Readonly<Record<Status, Transitions>> = {
  open: {
    ask: "needsApproval",
    block: "blocked",
    finish: "reviewing",
    fail: "failed",
    cancel: "cancelled",
    expire: "expired",
  },
  // A task may wait for several approvals: `ask` adds one, and `answer` occurs only when the last one is decided.
  needsApproval: {
    ask: "needsApproval",
    answer: "open",
    block: "blocked",
    fail: "failed",
    cancel: "cancelled",
    expire: "expired",
  },
  blocked: { takeUp: "open", fail: "failed", cancel: "cancelled", expire: "expired" },
  // Only verification leads to `done`: a task whose model says "done" at once gets no further than `reviewing`.
  reviewing: {
    accept: "done",
    reject: "open",
    block: "blocked",
    fail: "failed",
    cancel: "cancelled",
    expire: "expired",
  },
  done: ENDED,
  failed: ENDED,
  cancelled: ENDED,
  expired: ENDED,
};

/** Returns the status after `cause`, or `undefined` if a task in this status refuses the cause. */
export function findNext(status: Status, cause: Cause): Status | undefined {
  return TRANSITIONS[status][cause];
}

/** Returns whether a task in this status can never change again. */
export function isEnded(status: Status): boolean {
  return Object.keys(TRANSITIONS[status]).length === 0;
}

/** Returns the table of transitions as a state diagram of Mermaid, for the README. */
export function renderDiagram(): string {
  const edges = STATUSES.flatMap((from) => {
    const causes = new Map<Status, Cause[]>();
    for (const cause of CAUSES) {
      const to = findNext(from, cause);
      if (to !== undefined) causes.set(to, [...(causes.get(to) ?? []), cause]);
    }
    return [...causes].map(([to, words]) => `  ${from} --> ${to}: ${words.join(", ")}`);
  });
  const ends = STATUSES.filter(isEnded).map((status) => `  ${status} --> [*]`);
  return ["stateDiagram-v2", "  [*] --> open: submit", ...edges, ...ends].join("\n");
}
