import { type Label, mayFlow } from "./label.ts";
import type { IndexedTables } from "./tables.ts";

/** Returns whether the audit may keep text of this label. If the page sets no limit, the audit may keep text of every label. */
export function mayRecord({ audit }: Pick<IndexedTables, "audit">, label: Label): boolean {
  return !audit.hasLimit || mayFlow(label, audit.above);
}
