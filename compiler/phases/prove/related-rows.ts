import type { Row } from "../../../engine/lib/wire/generated/policy.ts";

// Finds the rows of one task between which a conversation can move.

/** The rows of one session and task, as indexes into the tables' rows. */
export interface RelatedRows {
  /** For each row that is not the row of a worker, the rows of later phases. */
  readonly later: ReadonlyMap<number, readonly number[]>;
  /** Rows of workers, by the phase that starts them. */
  readonly workers: ReadonlyMap<string, readonly number[]>;
  /** Rows that are not rows of workers, by phase. */
  readonly byPhase: ReadonlyMap<string, number>;
}

/**
 * Maximum number of phases of a task for which the search steps from each phase to every later one. The number of such
 * steps grows with the square of the number of phases. So if there are more phases, the search steps only to the next
 * phase. The reachable states are then the same, because entering a phase changes nothing else; only witness traces
 * become longer.
 */
const MOST_PHASE_EDGES = 64;

function findLaterPhases(phases: readonly number[]): Map<number, readonly number[]> {
  const computeEnd = (at: number) => (phases.length > MOST_PHASE_EDGES ? at + 2 : phases.length);
  return new Map(phases.map((index, at) => [index, phases.slice(at + 1, computeEnd(at))]));
}

/** Returns a function that finds, for a row, the rows of the same session and task. */
export function indexRelatedRows(rows: readonly Row[]): (row: Row) => RelatedRows {
  const getRow = (index: number) => rows[index];
  const formatTask = (row: Row | undefined) => JSON.stringify([row?.session, row?.task]);
  const together = Map.groupBy(rows.keys(), (index) => formatTask(getRow(index)));
  const byTask = new Map(
    [...together].map(([task, indexes]): [string, RelatedRows] => {
      const phases = indexes.filter((index) => getRow(index)?.worker === "");
      phases.sort((left, right) => (getRow(left)?.phaseIndex ?? 0) - (getRow(right)?.phaseIndex ?? 0));
      const others = indexes.filter((index) => getRow(index)?.worker !== "");
      const workers = Map.groupBy(others, (index) => getRow(index)?.phase ?? "");
      const byPhase = new Map(phases.map((index) => [getRow(index)?.phase ?? "", index]));
      return [task, { later: findLaterPhases(phases), workers, byPhase }];
    }),
  );
  return (row) => byTask.get(formatTask(row)) ?? { later: new Map(), workers: new Map(), byPhase: new Map() };
}
