import type { LabelNode } from "../../../../lang/tree/index.ts";

/** Levels as indexes, lowest 0; bit i is compartment i. */
export interface Lattice {
  readonly confidentiality: readonly string[];
  readonly integrity: readonly string[];
  readonly compartments: readonly string[];
}

export interface BoundLabel {
  readonly confidentiality: number;
  /** Integrity; `undefined` if the page states none: the provider's own for data, no demand for a sink. */
  readonly integrity: number | undefined;
  readonly compartments: bigint;
  readonly node: LabelNode;
}

export interface BoundRange {
  readonly low: BoundLabel;
  readonly high: BoundLabel;
}
