import { FIRST_DECISION, type IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Decision as DecisionList, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Origins } from "../../phases/policy/index.ts";
import type { MutantKind } from "./kinds.ts";

/** A line of the page. */
export interface Line {
  readonly words: string;
  readonly span: Span;
}

/** Policy tables that differ from those of a page as if one line of the page were different. */
export interface Mutant {
  readonly kind: MutantKind;
  /** Description, such as "auto instead of consent". */
  readonly change: string;
  /** The line that would be different. */
  readonly line: Line;
  /** Indexes of the rows that differ. */
  readonly rows: readonly number[];
  /**
   * Indexes of the tools whose calls may be decided differently in `rows`, even if such a call is the first of its
   * conversation.
   */
  readonly tools: readonly number[];
  /** Scope of the difference: calls of one of `tools`, or every conversation in the sessions of `rows`. */
  readonly reach: "calls" | "conversations";
  readonly tables: IndexedTables;
}

/** A page that compiles: its tables, the positions of the lines from which their parts come, and its declarations. */
export interface Original {
  readonly tables: IndexedTables;
  readonly origins: Origins;
  readonly model: Model;
}

/** Returns the line of a rule. `rule` is an index into the rules of the tables. */
export function getLine({ tables, origins }: Original, rule: number): Line {
  const words = tables.rules[rule]?.words;
  const span = origins.rules[rule];
  return words === undefined || span === undefined ? bug(`no line for rule ${rule}`) : { words, span };
}

/** Returns the tables with `row` in place of the row at `index`. */
export function replaceRow(tables: IndexedTables, index: number, row: Row): IndexedTables {
  return { ...tables, rows: tables.rows.with(index, row) };
}

/**
 * Returns the tables with changed decision lists in some cells of a row. It calls `change` only once for cells with the
 * same value, and these cells share the changed list.
 */
export function replaceLists(
  tables: IndexedTables,
  index: number,
  tools: readonly number[],
  change: (cell: number) => DecisionList,
): IndexedTables {
  const row = tables.rows[index] ?? bug(`no row ${index}`);
  const decisions = [...tables.decisions];
  const cells = [...row.cells];
  const changed = new Map<number, number>();
  for (const tool of tools) {
    const before = cells[tool] ?? bug(`no cell ${tool}`);
    const after = changed.get(before) ?? decisions.push(change(before)) - 1 + FIRST_DECISION;
    changed.set(before, after);
    cells[tool] = after;
  }
  return { ...replaceRow(tables, index, { ...row, cells }), decisions };
}
