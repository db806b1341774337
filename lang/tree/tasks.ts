import type { Span } from "../text/index.ts";
import type { ReleaseNode } from "./flows.ts";
import type { DeclarationBase, ModeNode, Reference } from "./names.ts";
import type { Narrowing } from "./narrowing.ts";

/** A release in a task holds while the task runs. */
export type TaskAttribute = Narrowing | ReleaseNode | PhaseNode;

export interface TaskNode extends DeclarationBase {
  readonly kind: "task";
  readonly session: Reference;
  readonly attributes: readonly TaskAttribute[];
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
