import type { Lattice } from "../wire/generated/policy.ts";
import { type Label, mayFlow } from "./label.ts";
import type { IndexedTables } from "./tables.ts";

/** Returns whether the audit may keep text of this label. If the page sets no limit, it keeps the text of every label. */
export function mayRecord({ audit }: Pick<IndexedTables, "audit">, label: Label): boolean {
  return !audit.hasLimit || mayFlow(label, audit.above);
}

/** Returns the highest label of a lattice: secret for everybody, and trusted by nobody. */
export function computeTopLabel({ confidentiality, compartments }: Lattice): Label {
  const all = (1n << BigInt(compartments.length)) - 1n;
  return { confidentiality: confidentiality.length - 1, integrity: 0, compartments: all };
}
