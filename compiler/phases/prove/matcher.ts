import { type Label, mayFlow } from "../../../engine/lib/policy/index.ts";
import type { LabelId, Labels } from "./labels.ts";

/**
 * Test that an assertion makes on the labels of the data that a conversation has read. If a label matches, its join with
 * any other label matches too. Therefore one bit for each matcher is enough to describe all data that a conversation has
 * read.
 */
export type Matcher =
  | {
      readonly kind: "above";
      readonly confidentiality: number;
      readonly compartments: bigint;
      /** Maximum integrity of a matching label; 255 means any integrity. */
      readonly integrityAtMost: number;
    }
  | { readonly kind: "beyond"; readonly clearance: Label };

/** Number above every integrity level: as the maximum integrity of a matcher, it excludes no label. */
export const ANY_INTEGRITY = 255;

/** Matches labels above the lowest confidentiality. */
export const PRIVATE: Matcher = { kind: "above", confidentiality: 1, compartments: 0n, integrityAtMost: ANY_INTEGRITY };
/** Matches labels of the lowest integrity. */
export const UNTRUSTED: Matcher = { kind: "above", confidentiality: 0, compartments: 0n, integrityAtMost: 0 };

/** Returns whether a label meets the matcher. */
export function isMatch(matcher: Matcher, label: Label): boolean {
  switch (matcher.kind) {
    case "above":
      return (
        label.confidentiality >= matcher.confidentiality &&
        (matcher.compartments & ~label.compartments) === 0n &&
        label.integrity <= matcher.integrityAtMost
      );
    case "beyond":
      return !mayFlow(label, matcher.clearance);
  }
}

/** Returns the compartments on which the matcher depends. */
export function getCompartments(matcher: Matcher): bigint {
  return matcher.kind === "above" ? matcher.compartments : matcher.clearance.compartments;
}

/**
 * Returns a function that finds the matchers that a label meets. The result has one bit for each: bit i for matcher i.
 */
export function createMatcherLookup(labels: Labels, matchers: readonly Matcher[]): (label: LabelId) => number {
  const known: number[] = [];
  return (label) => {
    const before = known[label];
    if (before !== undefined) return before;
    const full = labels.expandLabel(label);
    const bits = matchers.reduce((all, matcher, index) => (isMatch(matcher, full) ? all | (1 << index) : all), 0);
    known[label] = bits;
    return bits;
  };
}
