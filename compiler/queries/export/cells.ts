// Collects the decisions of an export. Each is about one tool that can be called in one session or task, with all data
// that decides about it.

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
  /** Index of the decision among those of the tables. */
  readonly decision: number;
  /** Label of the sink to which the arguments flow; `undefined` if they flow nowhere. */
  readonly sink: Label | undefined;
  /**
   * Whether no call of the tool can ever run. The reason may be a quota of 0. Or the tool changes something, and its
   * result may exceed the session's clearance.
   */
  readonly isNever: boolean;
  /** Whether no prompt is possible. In this case, no call can pass a gate that needs a person. */
  readonly isAskingNobody: boolean;
  /** Releases that may still let the arguments flow to the sink. */
  readonly releases: readonly Release[];
}

/**
 * Returns the name of a place, such as `operator.triage.look`. A worker may have the same name as a task, so it is
 * written with `#`: `operator.triage#helper`.
 */
export function placeName({ worker, ...row }: Row): string {
  return `${formatRowPath({ ...row, worker: "" })}${worker === "" ? "" : `#${worker}`}`;
}

/**
 * Returns the decisions of the tables, ordered by session, task, phase and worker. Suppressed tools, and tools that no
 * line covers, are left out.
 */
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
 * Returns whether a quota forbids even the first call with the shortest arguments. Other engines do not count calls.
 * With this check, a tool that the page can never run is refused by those engines too.
 */
function isUsedUp(tables: IndexedTables, row: Row, tool: Tool, prompts: number): boolean {
  if (row.quotas.length === 0) return false;
  const fresh = beginIn(row, 0);
  return chargeCall(tables, row, fresh, { tool, arguments: "{}", prompts }).exhausted !== undefined;
}

/** Returns the highest label that a result may have, whichever end of the range is higher. */
export function computeHighestLabel({ result: { low, high } }: Tool): Label {
  return join(low, high);
}

/**
 * Returns the strictest mode that any arguments could lead to. This mode is used if a condition cannot be evaluated.
 */
export function computeWorstMode({ clauses }: Decision): Clause["met"] {
  const modes = clauses.flatMap(({ conditions, met, otherwise }) =>
    conditions.length === 0 ? [met] : [met, otherwise],
  );
  return modes.reduce((worst, next) => (isStricter(next, worst) ? next : worst));
}

/** Groups decisions by session, task, phase and worker, for a report. */
export function groupByPlace(cells: readonly ExportedCell[]): Loss["at"] {
  const tools = new Map<string, string[]>();
  for (const { place, tool } of cells) tools.set(place, [...(tools.get(place) ?? []), tool.name]);
  return [...tools].map(([place, names]) => ({ place, tools: names }));
}
