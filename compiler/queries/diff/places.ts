import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";

/**
 * Place of a conversation: a session, and its task, phase and worker. A missing task, phase or worker is an empty text.
 */
export type Place = Pick<Row, "session" | "task" | "phase" | "worker">;

/** Returns a key that differs for different places, whatever characters the names have. */
export function placeKey({ session, task, phase, worker }: Place): string {
  return JSON.stringify([session, task, phase, worker]);
}

/** A row of the older tables and the same row of the newer tables; one of the two may be missing. */
export interface RowPair {
  readonly place: Place;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** Returns the rows of the new tables in their order, then the rows that only the older tables have. */
export function matchRows(before: IndexedTables, after: IndexedTables): readonly RowPair[] {
  const old = new Map(before.rows.map((row) => [placeKey(row), row]));
  const now = new Set(after.rows.map(placeKey));
  return [
    ...after.rows.map((row) => ({ place: placeOf(row), before: old.get(placeKey(row)), after: row })),
    ...before.rows
      .filter((row) => !now.has(placeKey(row)))
      .map((row) => ({ place: placeOf(row), before: row, after: undefined })),
  ];
}

function placeOf({ session, task, phase, worker }: Row): Place {
  return { session, task, phase, worker };
}
