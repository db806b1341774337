import type { Span } from "../text/index.ts";
import type { ReleaseNode } from "./flows.ts";
import type { DeclarationBase, ModeNode, Name, Reference } from "./names.ts";
import type { Narrowing } from "./narrowing.ts";

/** A part of a task. A release in a task is valid while the task runs. */
export type TaskAttribute = Narrowing | ReleaseNode | PhaseNode;

export interface TaskNode extends DeclarationBase {
  readonly kind: "task";
  readonly parameters: readonly TaskParameterNode[];
  readonly session: Reference;
  readonly attributes: readonly TaskAttribute[];
}

/** A parameter, such as `recipient: text` or `limit: money EUR`. The person who begins the task types its value. */
export interface TaskParameterNode {
  readonly name: Name;
  readonly type: Name;
  /** Currency of a parameter of the type `money`. */
  readonly currency: Name | undefined;
  readonly span: Span;
}

export interface PhaseNode extends DeclarationBase {
  readonly kind: "phase";
  readonly after: ModeNode | undefined;
  readonly attributes: readonly Narrowing[];
}

export interface WorkerNode extends DeclarationBase {
  readonly kind: "worker";
  readonly session: Reference;
  readonly attributes: readonly Narrowing[];
  readonly span: Span;
}
