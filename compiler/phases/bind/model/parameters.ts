import type { ParameterKind } from "../../../../engine/lib/wire/generated/policy.ts";
import type { TaskParameterNode } from "../../../../lang/tree/index.ts";

/** Parameter of a task. */
export interface BoundParameter {
  readonly name: string;
  readonly kind: ParameterKind;
  /** Of money; else empty. */
  readonly currency: string;
  readonly node: TaskParameterNode;
}
