// The table of vectors. Each vector belongs to a saying, and is deleted together with the saying. Each row has a number for the
// digest of the weights that computed the vector; vectors of different weights are never compared.

import type { Sql } from "../../../lib/sqlite/index.ts";
import { MAX_VECTOR_BYTES, VECTORS_AT_ONCE } from "../limits.ts";
import { isCount } from "../saying.ts";
import type { QuantizedVector } from "./vector.ts";

/** SQL condition: the conversation belongs to the session and is not forgotten. */
const HERE = "c.session = ? AND c.forgotten = 0";
const OF_SESSION = `sayings s JOIN conversations c ON c.id = s.conversation AND ${HERE}`;
/** SQL condition: the saying has text and is not a summary, and so gets a vector. */
const IS_EMBEDDED = "s.text <> '' AND s.through = 0";

/**
 * Returns the number that stands for these weights in the file; assigns a number if they have none. Runs in the
 * caller's transaction.
 */
export function assignModelNumber(sql: Sql, id: string): bigint {
  const name = `vectors by ${id}`;
  const known = sql.findFirst("SELECT value FROM facts WHERE name = ?", name)?.["value"];
  if (isCount(known)) return known;
  const count = sql.findFirst("SELECT count(*) AS n FROM facts WHERE name GLOB 'vectors by *'")?.["n"];
  const number = (isCount(count) ? count : 0n) + 1n;
  sql.run("INSERT INTO facts VALUES (?, ?)", name, number);
  return number;
}

/** The part of a session to search. */
export interface Part {
  /** Name of the conversation; an empty name means all conversations. */
  readonly conversation: string;
  /** Only sayings with a higher sequence number are listed. */
  readonly after: bigint;
}

/** The part of a session to search, the weights whose vectors are missing, and the maximum number of results. */
interface UnembeddedAsked {
  readonly session: string;
  readonly model: bigint;
  readonly part: Part;
  readonly most: number;
}

/** Returns the sayings that have no vector of these weights, newest first. */
export function findUnembedded(
  sql: Sql,
  { session, model, part: { conversation, after }, most }: UnembeddedAsked,
): readonly bigint[] {
  const rows = sql.findAll(
    `SELECT s.number FROM ${OF_SESSION} LEFT JOIN vectors v ON v.number = s.number AND v.model = ?
     WHERE (? = '' OR s.conversation = ?) AND s.sequence > ? AND ${IS_EMBEDDED} AND v.number IS NULL ORDER BY s.number DESC LIMIT ?`,
    ...[session, model, conversation, conversation, after, most],
  );
  return rows.flatMap(({ number }) => (isCount(number) ? [number] : []));
}

/** Returns the text of a saying, or `undefined` if it was forgotten. */
export function findSayingText(sql: Sql, session: string, number: bigint): string | undefined {
  const row = sql.findFirst(`SELECT s.text FROM ${OF_SESSION} WHERE s.number = ?`, session, number);
  return typeof row?.["text"] === "string" ? row["text"] : undefined;
}

export interface IndexedVector {
  /** Number of the saying's row. */
  readonly number: bigint;
  readonly vector: QuantizedVector;
}

/** Stores the vector of a saying, unless the saying was forgotten; replaces a vector that other weights made. */
export function putVector(sql: Sql, model: bigint, session: string, { number, vector }: IndexedVector): void {
  const made = `SELECT s.number, ?, ? FROM ${OF_SESSION} WHERE s.number = ?`;
  sql.run(`INSERT OR REPLACE INTO vectors ${made}`, model, vector, session, number);
}

/** Copies the vectors of a conversation's sayings to its fork; copies none if the session has no space for all. */
export function copyVectors(sql: Sql, session: string, from: string, to: string): void {
  const copied = `FROM sayings f JOIN sayings s ON s.conversation = ? AND s.sequence = f.sequence
     JOIN vectors v ON v.number = s.number WHERE f.conversation = ?`;
  const more = sql.findFirst(`SELECT coalesce(sum(length(v.vector)), 0) AS n ${copied}`, from, to)?.["n"];
  if (countVectorBytes(sql, session) + Number(more) > MAX_VECTOR_BYTES) return;
  sql.run(`INSERT INTO vectors SELECT f.number, v.model, v.vector ${copied}`, from, to);
}

export function eraseVector(sql: Sql, number: bigint): void {
  sql.run("DELETE FROM vectors WHERE number = ?", number);
}

/** Erases some of a session's vectors that other weights made, oldest first; returns false if there are none. */
export function eraseForeign(sql: Sql, session: string, model: bigint): boolean {
  const rows = sql.findAll(
    `SELECT v.number FROM ${OF_SESSION} JOIN vectors v ON v.number = s.number WHERE v.model <> ? ORDER BY v.number LIMIT ?`,
    ...[session, model, VECTORS_AT_ONCE],
  );
  for (const { number } of rows) if (isCount(number)) eraseVector(sql, number);
  return rows.length > 0;
}

export function countVectorBytes(sql: Sql, session: string): number {
  const sum = `SELECT coalesce(sum(length(v.vector)), 0) AS n FROM ${OF_SESSION} JOIN vectors v ON v.number = s.number`;
  return Number(sql.findFirst(sum, session)?.["n"] ?? 0);
}

/**
 * Counts of a session's embedded sayings: all, those with a vector of these weights, and those with a vector of other
 * weights.
 */
export interface Coverage {
  readonly sayings: number;
  readonly own: number;
  readonly foreign: number;
}

export function countCoverage(sql: Sql, session: string, model: bigint): Coverage {
  const row = sql.findFirst(
    `SELECT count(*) AS sayings, coalesce(sum(v.model = ?), 0) AS own, count(v.number) AS held
     FROM ${OF_SESSION} LEFT JOIN vectors v ON v.number = s.number WHERE ${IS_EMBEDDED}`,
    ...[model, session],
  );
  const [sayings = 0, own = 0, held = 0] = [row?.["sayings"], row?.["own"], row?.["held"]].map(Number);
  return { sayings, own, foreign: held - own };
}
