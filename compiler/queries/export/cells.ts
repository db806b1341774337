// The cells that an export is made of: tools that can be called somewhere, with all that decides about one.

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
  /** Where the arguments go; nothing where they tell nobody anything. */
  readonly sink: Label | undefined;
  /** It never runs: it has an effect and its result could be above what the row is cleared for, or a quota is nothing. */
  readonly isNever: boolean;
  /** It runs behind no gate, for nobody may be asked even once. */
  readonly isAskingNobody: boolean;
  /** What may let the arguments flow to the sink all the same. */
  readonly releases: readonly Release[];
}

/** `operator.triage.look`; a worker, which may have the name of a task, is told apart: `operator.triage#helper`. */
export function placeName({ worker, ...row }: Row): string {
  return `${formatRowPath({ ...row, worker: "" })}${worker === "" ? "" : `#${worker}`}`;
}

/** Row by row, in the tables' order; what is suppressed or covered by no line has no cell. */
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

/** With nothing used yet and the shortest arguments: engines of others count nothing, and what may never be used is still never used. */
function isUsedUp(tables: IndexedTables, row: Row, tool: Tool, prompts: number): boolean {
  if (row.quotas.length === 0) return false;
  const fresh = beginIn(row, 0);
  return chargeCall(tables, row, fresh, { tool, arguments: "{}", prompts }).exhausted !== undefined;
}

/** What a result may be labelled at most, however its range is written. */
export function computeHighestLabel({ result: { low, high } }: Tool): Label {
  return join(low, high);
}

/** The strictest that any arguments could bring about: what counts where a condition cannot be told. */
export function computeWorstMode({ clauses }: Decision): Clause["met"] {
  const modes = clauses.flatMap(({ conditions, met, otherwise }) =>
    conditions.length === 0 ? [met] : [met, otherwise],
  );
  return modes.reduce((worst, next) => (isStricter(next, worst) ? next : worst));
}

/** Cells by the place that they are in, for a report. */
export function groupByPlace(cells: readonly ExportedCell[]): Loss["at"] {
  const tools = new Map<string, string[]>();
  for (const { place, tool } of cells) tools.set(place, [...(tools.get(place) ?? []), tool.name]);
  return [...tools].map(([place, names]) => ({ place, tools: names }));
}
