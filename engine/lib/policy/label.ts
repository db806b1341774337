import type { Label, Lattice } from "../wire/generated/policy.ts";

export type { Label };

/** Returns the label of two pieces of data together: the higher confidentiality, the compartments of both, and the lower integrity. */
export function join(a: Label, b: Label): Label {
  return {
    confidentiality: Math.max(a.confidentiality, b.confidentiality),
    integrity: Math.min(a.integrity, b.integrity),
    compartments: a.compartments | b.compartments,
  };
}

/** Returns the highest label of a lattice: the most secret, with all compartments, and the least trusted. */
export function computeTopLabel({ confidentiality, compartments }: Lattice): Label {
  const all = (1n << BigInt(compartments.length)) - 1n;
  return { confidentiality: confidentiality.length - 1, integrity: 0, compartments: all };
}

/**
 * Returns whether data may flow. The sink must have at least the data's secrecy and all its compartments, and the data must have the
 * integrity that the sink demands (0: none).
 */
export function mayFlow(from: Label, to: Label): boolean {
  return (
    from.confidentiality <= to.confidentiality &&
    from.integrity >= to.integrity &&
    // Most data is in no compartment, so test this first: computing with big integers, which store the compartments, is
    // slow.
    (from.compartments === 0n || (from.compartments & ~to.compartments) === 0n)
  );
}

/** Returns whether two labels are equal in all three parts. */
export function isSameLabel(one: Label, other: Label): boolean {
  return (
    one.confidentiality === other.confidentiality &&
    one.integrity === other.integrity &&
    one.compartments === other.compartments
  );
}

/** A label written with the names of its page. */
export interface LabelNames {
  readonly confidentiality: string;
  readonly integrity: string;
  readonly compartments: readonly string[];
}

/** Returns the label of these names, or `undefined` if one of them is not in the lattice. */
export function findLabel(lattice: Lattice, names: LabelNames): Label | undefined {
  const confidentiality = lattice.confidentiality.indexOf(names.confidentiality);
  const integrity = lattice.integrity.indexOf(names.integrity);
  const bits = names.compartments.map((name) => lattice.compartments.indexOf(name));
  if (confidentiality === -1 || integrity === -1 || bits.includes(-1)) return undefined;
  return { confidentiality, integrity, compartments: bits.reduce((all, bit) => all | (1n << BigInt(bit)), 0n) };
}

/** Renders a label as the page writes it: `secret:{finance}/reviewed`. */
export function formatLabel(lattice: Lattice, label: Label): string {
  return `${formatSecrecy(lattice, label)}/${lattice.integrity[label.integrity] ?? ""}`;
}

/** Renders a label without its integrity: `secret:{finance}`. */
export function formatSecrecy(lattice: Lattice, label: Label): string {
  const sets = listCompartments(lattice, label.compartments);
  const level = lattice.confidentiality[label.confidentiality] ?? "";
  return sets.length === 0 ? level : `${level}:{${sets.join(", ")}}`;
}

/** Returns the names of a set of compartments, in the page's order. */
export function listCompartments({ compartments }: Lattice, set: bigint): string[] {
  return compartments.filter((_, bit) => (set >> BigInt(bit)) & 1n);
}
