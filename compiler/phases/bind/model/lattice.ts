import type { LabelNode } from "../../../../lang/tree/index.ts";

/**
 * Levels of the page. A label contains their indexes, where 0 is the lowest level. In the compartments of a label, bit i is compartment i.
 */
export interface Lattice {
  readonly confidentiality: readonly string[];
  readonly integrity: readonly string[];
  readonly compartments: readonly string[];
}

export interface BoundLabel {
  readonly confidentiality: number;
  /**
   * Integrity; `undefined` if the page states none. Data without a stated integrity has the integrity of its provider, and a sink without a
   * stated integrity accepts any.
   */
  readonly integrity: number | undefined;
  readonly compartments: bigint;
  readonly node: LabelNode;
}

export interface BoundRange {
  readonly low: BoundLabel;
  readonly high: BoundLabel;
}
