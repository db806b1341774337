import type { IndexedTables } from "../../engine/policy/index.ts";
import { type CellChange, changedCells } from "./cells.ts";
import { changedFacts, type Fact, type FactChange } from "./facts.ts";
import { placeKey } from "./places.ts";
import { rowFacts } from "./row-facts.ts";
import { tableFacts, toolFacts } from "./table-facts.ts";

/** One of two states of a system. */
export interface Side {
  readonly tables: IndexedTables;
  /** What is known beside the tables; nothing where only they are there, and then it is compared with nothing. */
  readonly machine: readonly Fact[] | undefined;
}

/** All that means something else. */
export interface Difference {
  readonly cells: readonly CellChange[];
  readonly facts: readonly FactChange[];
}

/** Whether both sides say what the machine is. */
export function knowsMachines(before: Side, after: Side): boolean {
  return before.machine !== undefined && after.machine !== undefined;
}

/** What `after` means and `before` does not, and the other way round. Versions of systems and words of lines mean nothing. */
export function difference(before: Side, after: Side): Difference {
  return {
    cells: changedCells(before.tables, after.tables),
    facts: changedFacts(factsOf(before, after), factsOf(after, before)),
  };
}

function factsOf(side: Side, otherSide: Side): readonly Fact[] {
  const [{ tables, machine = [] }, { tables: other }] = [side, otherSide];
  const there = new Set(other.rows.map(placeKey));
  const known = knowsMachines(side, otherSide) ? machine : [];
  return [...rowFacts(tables, there), ...toolFacts(tables, other), ...tableFacts(tables), ...known];
}
