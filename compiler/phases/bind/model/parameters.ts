import type { ParameterKind } from "../../../../engine/lib/wire/generated/policy.ts";
import type { TaskParameterNode } from "../../../../lang/tree/index.ts";

/** Parameter of a task. */
export interface BoundParameter {
  readonly name: string;
  readonly kind: ParameterKind;
  /** Currency of an amount of money; otherwise empty. */
  readonly currency: string;
  readonly node: TaskParameterNode;
}
