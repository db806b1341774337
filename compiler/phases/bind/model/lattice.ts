import type { LabelNode } from "../../../../lang/tree/index.ts";

/**
 * Names of the levels and compartments of a page. Labels refer to a level by its index, 0 for the lowest, and to
 * compartment i by bit i.
 */
export interface Lattice {
  readonly confidentiality: readonly string[];
  readonly integrity: readonly string[];
  readonly compartments: readonly string[];
}

export interface BoundLabel {
  readonly confidentiality: number;
  /**
   * Integrity; `undefined` if the page states none. If it is `undefined`, data has the integrity of its provider, and a
   * sink accepts any integrity.
   */
  readonly integrity: number | undefined;
  readonly compartments: bigint;
  readonly node: LabelNode;
}

export interface BoundRange {
  readonly low: BoundLabel;
  readonly high: BoundLabel;
}
