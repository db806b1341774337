import type { Mode, PhaseNode, TaskNode, WorkerNode } from "../../../../lang/tree/index.ts";
import type { Narrowings } from "./lines.ts";
import type { BoundParameter } from "./parameters.ts";
import type { Session } from "./sessions.ts";

/** Mode in which a person decides. */
export type Gate = Extract<Mode, "consent" | "stepUp">;

/**
 * Task that a person starts on purpose, in the declaring session or in a session that extends it. A task without phases counts as one
 * phase.
 */
export interface Task extends Narrowings {
  /** `operator.triage` */
  readonly id: string;
  readonly name: string;
  /** Session that declares the task. Sessions that extend this session have the task too. */
  readonly session: Session;
  readonly damaged: boolean;
  /** Values that a person chooses to begin the task, in the page's order. */
  readonly parameters: readonly BoundParameter[];
  /** Phases in the page's order. A task begins in the first phase and moves only forward. */
  readonly phases: readonly Phase[];
  readonly node: TaskNode;
}

export interface Phase extends Narrowings {
  /** `operator.triage.look` */
  readonly id: string;
  readonly name: string;
  /** Approval that is required before the phase begins. */
  readonly after: Gate | undefined;
  readonly node: PhaseNode;
}

/**
 * A loop without a person, started by a conversation of a session or of one task. Both the rules of its starter and its own rules decide
 * about each call, and the stricter decision applies.
 */
export interface Worker extends Narrowings {
  /** `operator.digest`, `operator.triage.digest` */
  readonly id: string;
  readonly name: string;
  readonly within: Subject;
  readonly damaged: boolean;
  readonly node: WorkerNode;
}

/** Subject that `for`, `as`, `into` and `in` name: a session, or a task together with the session that names it. */
export type Subject =
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "task"; readonly task: Task; readonly session: Session };
