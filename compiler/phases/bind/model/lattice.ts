import type { LabelNode } from "../../../../lang/tree/index.ts";

/** Levels as indexes, with 0 the lowest; bit i stands for compartment i. */
export interface Lattice {
  readonly confidentiality: readonly string[];
  readonly integrity: readonly string[];
  readonly compartments: readonly string[];
}

export interface BoundLabel {
  readonly confidentiality: number;
  /** Integrity; `undefined` if the page states none. Data then has the integrity of its provider, and a sink accepts any integrity. */
  readonly integrity: number | undefined;
  readonly compartments: bigint;
  readonly node: LabelNode;
}

export interface BoundRange {
  readonly low: BoundLabel;
  readonly high: BoundLabel;
}
