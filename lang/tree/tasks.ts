import type { Span } from "../text/index.ts";
import type { Declared, ModeNode, Reference } from "./names.ts";
import type { Narrowing } from "./narrowing.ts";

export interface TaskNode extends Declared {
  readonly kind: "task";
  readonly session: Reference;
  readonly attributes: readonly (Narrowing | PhaseNode)[];
}

export interface PhaseNode extends Declared {
  readonly kind: "phase";
  readonly after: ModeNode | undefined;
  readonly attributes: readonly Narrowing[];
}

export interface WorkerNode extends Declared {
  readonly kind: "worker";
  readonly session: Reference;
  readonly attributes: readonly Narrowing[];
  readonly span: Span;
}
