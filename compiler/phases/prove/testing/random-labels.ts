// Generates random words of a page. A number selects one of the words that the page has, so that failing pages shrink
// to small ones.
import fc from "fast-check";

export interface Lattice {
  readonly confidentiality: readonly string[];
  readonly integrity: readonly string[];
  readonly compartments: readonly string[];
}

export const anyLattice: fc.Arbitrary<Lattice> = fc
  .tuple(fc.constantFrom(2, 3), fc.constantFrom(2, 2, 3), fc.constantFrom(0, 0, 1, 1, 2))
  .map(([levels, trust, sets]) => ({
    confidentiality: ["public", "internal", "secret"].slice(0, levels),
    integrity: ["untrusted", "reviewed", "system"].slice(0, trust),
    compartments: ["finance", "hr"].slice(0, sets),
  }));

export function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
}

/** A level, a set of compartments, and an optional integrity. */
export const anyLabel = fc.record({
  level: fc.nat(2),
  sets: fc.constantFrom(0, 0, 0, 1, 2, 3),
  trust: fc.constantFrom(3, 3, 0, 1, 2),
});
interface AnyLabel {
  readonly level: number;
  /** Compartments as bits: bit i stands for compartment i, if the page has it. */
  readonly sets: number;
  /** Integrity level; 3 means that none is stated. */
  readonly trust: number;
}

/** Returns the highest clearance that a page with this lattice can state. */
export function topText(lattice: Lattice): string {
  return labelText(lattice, { level: lattice.confidentiality.length - 1, sets: 3, trust: 3 });
}

export function labelText(lattice: Lattice, { level, sets, trust }: AnyLabel): string {
  const names = lattice.compartments.filter((_, bit) => sets & (1 << bit));
  const set = names.length === 0 ? "" : `:{${names.join(", ")}}`;
  return `${at(lattice.confidentiality, level)}${set}${trust === 3 ? "" : `/${at(lattice.integrity, trust)}`}`;
}

/**
 * A range of labels: one label, or two labels. The second label is at least as secret and at most as trusted as the
 * first one.
 */
export const anyRange = fc.oneof(
  { weight: 3, arbitrary: anyLabel.map((low) => ({ low, high: low })) },
  {
    weight: 2,
    arbitrary: fc.tuple(anyLabel, anyLabel).map(([low, high]) => ({ low, high })),
  },
);

export function rangeText(
  lattice: Lattice,
  { low, high }: { readonly low: AnyLabel; readonly high: AnyLabel },
): string {
  if (low === high) return labelText(lattice, low);
  const levels = [low, high].map(({ level }) => level % lattice.confidentiality.length).sort();
  const trusts = [low, high].map(({ trust }) => trust % lattice.integrity.length).sort();
  const [less = 0, more = 0] = levels;
  const [doubtful = 0, trusted = 0] = trusts;
  const from = { level: less, sets: low.sets & high.sets, trust: trusted };
  const to = { level: more, sets: low.sets | high.sets, trust: doubtful };
  return `${labelText(lattice, from)} .. ${labelText(lattice, to)}`;
}

export const anyMode = fc.constantFrom("auto", "auto", "auto", "auto", "consent", "consent", "stepUp", "forbidden");
export const anyGate = fc.constantFrom("consent", "stepUp");

/** Returns values that are mostly null. */
export function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}
