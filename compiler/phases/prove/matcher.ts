import { type Label, mayFlow } from "../../../engine/lib/policy/index.ts";
import type { LabelId, Labels } from "./labels.ts";

/**
 * Tests the labels of the data that a conversation has read, for an assertion. A label that matches still matches after any join. One bit
 * for each matcher is therefore enough to describe the past of a conversation.
 */
export type Matcher =
  | {
      readonly kind: "above";
      readonly confidentiality: number;
      readonly compartments: bigint;
      /** 255 matches any integrity. */
      readonly integrityAtMost: number;
    }
  | { readonly kind: "beyond"; readonly clearance: Label };

/** Greater than every level. */
export const ANY_INTEGRITY = 255;

/** Matches every confidentiality above the lowest. */
export const PRIVATE: Matcher = { kind: "above", confidentiality: 1, compartments: 0n, integrityAtMost: ANY_INTEGRITY };
/** Matches the lowest integrity. */
export const UNTRUSTED: Matcher = { kind: "above", confidentiality: 0, compartments: 0n, integrityAtMost: 0 };

/** Returns whether the matcher matches the label. */
function isMatch(matcher: Matcher, label: Label): boolean {
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

/** Returns the compartments that the matcher tests. */
export function getCompartments(matcher: Matcher): bigint {
  return matcher.kind === "above" ? matcher.compartments : matcher.clearance.compartments;
}

/** Returns a function that tests a single label. In its result, bit i is set if matcher i matches. */
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
