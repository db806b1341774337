// Collects the cells of an export: for each place, the tools that can be called there, with all facts that decide about
// them.

import {
  beginIn,
  chargeCall,
  FIRST_DECISION,
  formatRowPath,
  type IndexedTables,
  isStricter,
  join,
  mayFlow,
} from "../../../engine/lib/policy/index.ts";
import type { Clause, Decision, Label, Release, Row, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import type { Loss } from "./loss.ts";

export interface ExportedCell {
  readonly place: string;
  readonly row: Row;
  readonly tool: Tool;
  readonly list: Decision;
  /** Index into the tables' decisions. */
  readonly decision: number;
  /** Label of the sink that the arguments reach; `undefined` if they reach no sink. */
  readonly sink: Label | undefined;
  /**
   * Whether no call ever runs: the tool has an effect and its result may exceed the clearance of the row, or a quota is
   * 0.
   */
  readonly isNever: boolean;
  /** Whether a quota allows no question at all, so that calls behind a gate never run. */
  readonly isAskingNobody: boolean;
  /** Releases that may let the arguments flow to the sink although their label forbids it. */
  readonly releases: readonly Release[];
}

/**
 * Returns the name of a place, such as `operator.triage.look`. A worker may have the name of a task, so its name is
 * written after `#`: `operator.triage#helper`.
 */
export function placeName({ worker, ...row }: Row): string {
  return `${formatRowPath({ ...row, worker: "" })}${worker === "" ? "" : `#${worker}`}`;
}

/** Returns the cells row by row, in the tables' order. Tools that are suppressed or covered by no line have no cell. */
export function collectCells(tables: IndexedTables): readonly ExportedCell[] {
  return tables.rows.flatMap((row) => collectRowCells(tables, row));
}

export function collectRowCells(tables: IndexedTables, row: Row): readonly ExportedCell[] {
  const place = placeName(row);
  return tables.tools.flatMap((tool, index): ExportedCell[] => {
    const decision = (row.cells[index] ?? 0) - FIRST_DECISION;
    const list = tables.decisions[decision];
    if (list === undefined) return [];
    const releases = row.releases.flatMap((held) => tables.releases[held] ?? []);
    return [
      {
        place,
        row,
        tool,
        list,
        decision,
        sink: tool.readOnly && !tool.networked ? undefined : tool.sink,
        isNever: (!tool.readOnly && !mayFlow(tool.result.high, row.clearance)) || isUsedUp(tables, row, tool, 0),
        isAskingNobody: isUsedUp(tables, row, tool, 1),
        releases: releases.filter(({ tools }) => tools.includes(index)),
      },
    ];
  });
}

/**
 * Returns whether a quota forbids even the first call with the shortest arguments. Other engines count nothing, but a
 * tool that nobody can ever call must stay unusable in the export.
 */
function isUsedUp(tables: IndexedTables, row: Row, tool: Tool, prompts: number): boolean {
  if (row.quotas.length === 0) return false;
  const fresh = beginIn(row, 0);
  return chargeCall(tables, row, fresh, { tool, arguments: "{}", prompts }).exhausted !== undefined;
}

/**
 * Returns the join of both ends of the range that the tables state for the label of a result. No result has a higher
 * label, even if the ends are not in order.
 */
export function computeHighestLabel({ result: { low, high } }: Tool): Label {
  return join(low, high);
}

/**
 * Returns the strictest mode that any arguments could cause. The export uses this mode if a condition cannot be
 * evaluated.
 */
export function computeWorstMode({ clauses }: Decision): Clause["met"] {
  const modes = clauses.flatMap(({ conditions, met, otherwise }) =>
    conditions.length === 0 ? [met] : [met, otherwise],
  );
  return modes.reduce((worst, next) => (isStricter(next, worst) ? next : worst));
}

/** Groups cells by their place, for a report. */
export function groupByPlace(cells: readonly ExportedCell[]): Loss["at"] {
  const tools = new Map<string, string[]>();
  for (const { place, tool } of cells) tools.set(place, [...(tools.get(place) ?? []), tool.name]);
  return [...tools].map(([place, names]) => ({ place, tools: names }));
}
