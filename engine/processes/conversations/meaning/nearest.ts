// Finds the sayings nearest in meaning to a vector. All vectors are compared, in slices: between two slices other
// requests are served.

import { accept, type Result } from "../../../lib/result/result.ts";
import type { Row, Sql } from "../../../lib/sqlite/index.ts";
import { AT_ONCE_COMPARED } from "../limits.ts";
import { isCount } from "../saying.ts";
import { computeNearness, readVector } from "./vector.ts";

export interface Scope {
  readonly session: string;
  /** Name of the conversation to search; an empty name means all conversations of the session. */
  readonly conversation: string;
  /** Only sayings with a smaller sequence number are searched; 0 means all. */
  readonly before: bigint;
}

/**
 * The maximum number of hits by meaning, and the score that each hit needs. Models differ in how similar two texts are,
 * so the score is relative. It states how far the similarity of the hit is above the mean of all compared texts.
 */
export interface OutlierScore {
  readonly most: number;
  /** Distance in standard deviations above the mean of all compared vectors. */
  readonly by: number;
}

/** A vector, the model that made it, the scope to search in, and the minimum score and maximum number of hits. */
interface NearnessAsked {
  readonly vector: Int8Array;
  readonly model: bigint;
  readonly scope: Scope;
  readonly outstanding: OutlierScore;
}

/**
 * Returns the row numbers of the sayings in the scope that have at least the minimum score, nearest first. Of two that
 * are equally near, the newer comes first.
 */
export async function findNearest(
  sql: Sql,
  guarded: (ask: () => readonly Row[]) => Result<readonly Row[]>,
  { vector, model, scope, outstanding: { most, by } }: NearnessAsked,
): Promise<Result<readonly bigint[]>> {
  const found: { readonly number: bigint; readonly near: number }[] = [];
  for (let below: bigint | undefined = NEWEST; below !== undefined; ) {
    const from = below;
    const rows = guarded(() => sliceOf(sql, model, scope, from));
    if (!rows.ok) return rows;
    for (const { number, vector: kept } of rows.value) {
      const other = readVector(kept);
      if (isCount(number) && other?.length === vector.length)
        found.push({ number, near: computeNearness(vector, other) });
    }
    const last = rows.value.at(-1)?.["number"];
    below = rows.value.length === AT_ONCE_COMPARED && isCount(last) ? last : undefined;
    if (below !== undefined) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  const floor = computeFloor(
    found.map(({ near }) => near),
    by,
  );
  const outstanding = found.filter(({ near }) => near >= floor);
  outstanding.sort((one, other) => other.near - one.near || (one.number < other.number ? 1 : -1));
  return accept(outstanding.slice(0, most).map(({ number }) => number));
}

const NEWEST = (1n << 63n) - 1n;

function sliceOf(sql: Sql, model: bigint, { session, conversation, before }: Scope, below: bigint) {
  return sql.findAll(
    `SELECT v.number, v.vector FROM vectors v JOIN sayings s ON s.number = v.number
       JOIN conversations c ON c.id = s.conversation
     WHERE v.number < ? AND v.model = ? AND c.session = ? AND c.forgotten = 0 AND s.through = 0
       AND (? = '' OR c.id = ?) AND (? = 0 OR s.sequence < ?) ORDER BY v.number DESC LIMIT ?`,
    ...[below, model, session, conversation, conversation, before, before, AT_ONCE_COMPARED],
  );
}

function computeFloor(nearnesses: readonly number[], by: number): number {
  const mean = nearnesses.reduce((sum, near) => sum + near, 0) / nearnesses.length;
  const spread = Math.sqrt(nearnesses.reduce((sum, near) => sum + (near - mean) ** 2, 0) / nearnesses.length);
  return mean + by * spread;
}
