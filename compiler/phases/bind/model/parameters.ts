import type { ParameterKind } from "../../../../engine/lib/wire/generated/policy.ts";
import type { TaskParameterNode } from "../../../../lang/tree/index.ts";

/** Parameter of a task. */
export interface BoundParameter {
  readonly name: string;
  readonly kind: ParameterKind;
  /** Currency of a money parameter; empty for other kinds. */
  readonly currency: string;
  readonly node: TaskParameterNode;
}
