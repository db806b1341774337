import type { Mode, PhaseNode, TaskNode, WorkerNode } from "../../../../lang/tree/index.ts";
import type { Narrowings } from "./lines.ts";
import type { BoundParameter } from "./parameters.ts";
import type { Session } from "./sessions.ts";

/** Mode in which a person must approve or sign. */
export type Gate = Extract<Mode, "consent" | "stepUp">;

/**
 * Task that a person starts on purpose in a session, or in one that extends it. A task without phases counts as one
 * phase.
 */
export interface Task extends Narrowings {
  /** `operator.triage` */
  readonly id: string;
  readonly name: string;
  /** Session that declares the task; sessions that extend this one have it too. */
  readonly session: Session;
  readonly damaged: boolean;
  /** Parameters in the order of the page. The person who begins the task chooses their values. */
  readonly parameters: readonly BoundParameter[];
  /** Phases in the page's order: a task begins in the first, and moves only forward. */
  readonly phases: readonly Phase[];
  readonly node: TaskNode;
}

export interface Phase extends Narrowings {
  /** `operator.triage.look` */
  readonly id: string;
  readonly name: string;
  /** Gate that a person must pass before the phase begins. */
  readonly after: Gate | undefined;
  readonly node: PhaseNode;
}

/**
 * Worker: a conversation without a person, which a conversation of a session or a task starts. For each call of a
 * worker, the gate takes the stricter of two decisions: the worker's, and that of the conversation that started the
 * worker.
 */
export interface Worker extends Narrowings {
  /** `operator.digest`, `operator.triage.digest` */
  readonly id: string;
  readonly name: string;
  readonly within: Subject;
  readonly damaged: boolean;
  readonly node: WorkerNode;
}

/**
 * The session or the task that a line names after `for`, `as`, `into` or `in`. For a task, `session` is the session in
 * which the line names the task; this session may have inherited the task.
 */
export type Subject =
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "task"; readonly task: Task; readonly session: Session };
