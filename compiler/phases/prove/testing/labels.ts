// A second implementation of labels, for the naive evaluator: it shares no code with the prover.
import type { Label, LabelRange, Lattice } from "../../../../engine/lib/wire/generated/policy.ts";

/**
 * Returns the join of two labels. The join has the higher confidentiality, all compartments and the lower integrity of
 * the two.
 */
export function together(a: Label, b: Label): Label {
  return {
    confidentiality: Math.max(a.confidentiality, b.confidentiality),
    integrity: Math.min(a.integrity, b.integrity),
    compartments: a.compartments | b.compartments,
  };
}

export function holdsAll(outer: bigint, inner: bigint): boolean {
  return (outer & inner) === inner;
}

/** Ruling 10: returns whether data may flow from one label to another. */
export function fits(from: Label, to: Label): boolean {
  if (from.confidentiality > to.confidentiality) return false;
  if (!holdsAll(to.compartments, from.compartments)) return false;
  return !(from.integrity < to.integrity);
}

/**
 * Returns whether a label is in a declared range. A range goes from less to more secret, and from more to less trusted.
 */
export function isBetween(label: Label, { low, high }: LabelRange): boolean {
  if (label.confidentiality < low.confidentiality || label.confidentiality > high.confidentiality) return false;
  if (label.integrity > low.integrity || label.integrity < high.integrity) return false;
  return holdsAll(label.compartments, low.compartments) && holdsAll(high.compartments, label.compartments);
}

export function isSame(a: Label, b: Label): boolean {
  return labelKey(a) === labelKey(b);
}

export function labelKey({ confidentiality, integrity, compartments }: Label): string {
  return `${confidentiality}/${integrity}/${compartments}`;
}

export function everyLabel(lattice: Lattice): Label[] {
  const labels: Label[] = [];
  for (let confidentiality = 0; confidentiality < lattice.confidentiality.length; confidentiality++) {
    for (let integrity = 0; integrity < lattice.integrity.length; integrity++) {
      for (let set = 0; set < 2 ** lattice.compartments.length; set++) {
        labels.push({ confidentiality, integrity, compartments: BigInt(set) });
      }
    }
  }
  return labels;
}
