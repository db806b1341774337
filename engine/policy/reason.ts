// The sentences of decisions, for the model as well as for the person.
import type { Releasing } from "./flow.ts";
import type { Ruled } from "./mode.ts";
import type { IndexedTables } from "./tables.ts";

export function wordsOf({ rules }: IndexedTables, rule: number): string {
  return `"${rules[rule]?.words}"`;
}

export function reasonOf(tables: IndexedTables, { mode, rule }: Ruled): string {
  return `${mode} by ${wordsOf(tables, rule)}`;
}

export function reasonOfRelease(tables: IndexedTables, { mode, rule }: Ruled, { release }: Releasing): string {
  // Where the release itself asks for the gate, its line is said once.
  const by = release.rule === rule ? "" : ` by ${wordsOf(tables, rule)}`;
  return `${mode}${by}, released by ${wordsOf(tables, release.rule)}`;
}
