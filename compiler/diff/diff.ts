import type { IndexedTables } from "../../engine/policy/index.ts";
import { type CellChange, changedCells } from "./cells.ts";
import { changedFacts, type Fact, type FactChange } from "./facts.ts";
import { placeKey } from "./places.ts";
import { rowFacts } from "./row-facts.ts";
import { tableFacts, toolFacts } from "./table-facts.ts";

/** One of two states of a system. */
export interface Side {
  readonly tables: IndexedTables;
  /** What is known beside the tables; of the same kind on both sides, or nothing. */
  readonly machine: readonly Fact[];
}

/** All that means something else. */
export interface Difference {
  readonly cells: readonly CellChange[];
  readonly facts: readonly FactChange[];
}

/** What `after` means and `before` does not, and the other way round. Versions of systems and words of lines mean nothing. */
export function difference(before: Side, after: Side): Difference {
  return {
    cells: changedCells(before.tables, after.tables),
    facts: changedFacts(factsOf(before, after), factsOf(after, before)),
  };
}

function factsOf({ tables, machine }: Side, { tables: other }: Side): readonly Fact[] {
  const there = new Set(other.rows.map(placeKey));
  return [...rowFacts(tables, there), ...toolFacts(tables, other), ...tableFacts(tables), ...machine];
}
