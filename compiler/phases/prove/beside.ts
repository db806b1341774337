import type { Row } from "../../../engine/lib/wire/generated/policy.ts";

// Which rows of one task lead to each other.

/** Rows of one session and task, by their index. */
export interface Beside {
  /** Of each one of no worker: those of later phases. */
  readonly later: ReadonlyMap<number, readonly number[]>;
  /** Those of workers, by the phase that they are started in. */
  readonly workers: ReadonlyMap<string, readonly number[]>;
  /** Those of no worker, by phase. */
  readonly byPhase: ReadonlyMap<string, number>;
}

/**
 * Of a task with more phases each leads to the next one alone: all are reached in the same states, since a step into a phase
 * changes nothing else, and only what refutes something is told step by step. Steps from each to each would be their square.
 */
const MOST_LEAPS = 64;

function findLaterPhases(phases: readonly number[]): Map<number, readonly number[]> {
  const computeEnd = (at: number) => (phases.length > MOST_LEAPS ? at + 2 : phases.length);
  return new Map(phases.map((index, at) => [index, phases.slice(at + 1, computeEnd(at))]));
}

/** Of a row of the tables: what stands beside it. */
export function indexRelatedRows(rows: readonly Row[]): (row: Row) => Beside {
  const getRow = (index: number) => rows[index];
  const placeOf = (row: Row | undefined) => JSON.stringify([row?.session, row?.task]);
  const together = Map.groupBy(rows.keys(), (index) => placeOf(getRow(index)));
  const beside = new Map(
    [...together].map(([place, indexes]): [string, Beside] => {
      const phases = indexes.filter((index) => getRow(index)?.worker === "");
      phases.sort((left, right) => (getRow(left)?.phaseIndex ?? 0) - (getRow(right)?.phaseIndex ?? 0));
      const others = indexes.filter((index) => getRow(index)?.worker !== "");
      const workers = Map.groupBy(others, (index) => getRow(index)?.phase ?? "");
      const byPhase = new Map(phases.map((index) => [getRow(index)?.phase ?? "", index]));
      return [place, { later: findLaterPhases(phases), workers, byPhase }];
    }),
  );
  return (row) => beside.get(placeOf(row)) ?? { later: new Map(), workers: new Map(), byPhase: new Map() };
}
