// Changes the store's conversations by SQL statements, each in the caller's transaction.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Sql } from "../../lib/sqlite/index.ts";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import { MAX_CONVERSATIONS, MAX_SESSION_BYTES } from "./limits.ts";
import { copyVectors, eraseVector } from "./meaning/table.ts";
import { findLastSequence, measureUsage } from "./reading.ts";
import { checkSaying, countSayingBytes, isCount, serializeCalls } from "./saying.ts";

const TITLE_LENGTH = 60;
/** Number of rows of a forgotten conversation that one step erases: the journal holds their pages until the step is done. */
const ERASED_AT_ONCE = 16;
/**
 * SQL expression for the indexed text of a saying; to remove a saying, the index needs the same text again. A tool's
 * result is JSON, in which `\n` and `\t` stand for line end and tab. Their letters must not be joined to the next word.
 */
const INDEXED = "replace(replace(text || ' ' || calls, '\\n', ' '), '\\t', ' ')";
/** Number of pages that one step returns to the disk. */
const GIVEN_BACK_AT_ONCE = 128;
const MIB = 1024 * 1024;

/** Time of a write by a clock that may jump: whole milliseconds since 1970. */
export type WallMs = bigint;

/**
 * Begins a conversation, and returns its name, which was never used before. Before that, removes conversations that are
 * empty and not open. Fails if there are too many conversations.
 */
export function beginIn(sql: Sql, session: string, prefix: string, at: WallMs): Result<string> {
  const isEmpty = "session = ? AND sayings = 0 AND id NOT IN (SELECT conversation FROM opened)";
  sql.run(`DELETE FROM conversations WHERE ${isEmpty}`, session);
  const count = sql.findFirst("SELECT count(*) AS n FROM conversations WHERE session = ?", session)?.["n"];
  if (Number(count ?? 0) >= MAX_CONVERSATIONS) {
    return refuse(`${MAX_CONVERSATIONS} conversations of this session are kept; /forget makes room`);
  }
  sql.run("INSERT INTO facts VALUES ('names', 1) ON CONFLICT DO UPDATE SET value = value + 1");
  const number = sql.findFirst("SELECT value FROM facts WHERE name = 'names'")?.["value"];
  const name = `${prefix}${String(number)}`;
  const values = "(?, ?, '', '', 0, 0, ?, ?, 0)";
  sql.run(`INSERT INTO conversations VALUES ${values}`, name, session, computeNextChange(sql, session), at);
  return accept(name);
}

/** Sayings to append to a conversation of a session, and the time. */
interface Appended {
  readonly session: string;
  readonly conversation: string;
  readonly sayings: readonly Saying[];
  readonly at: WallMs;
}

/**
 * Appends all sayings to the conversation, or none. Returns the sequence number of the last saying. Fails if a saying
 * is not valid or there is no space.
 */
export function appendTo(sql: Sql, { session, conversation, sayings, at }: Appended): Result<bigint> {
  const last = findLastSequence(sql, session, conversation);
  if (!last.ok) return last;
  const bytes = sayings.reduce((sum, saying) => sum + countSayingBytes(saying), 0);
  const full = checkSessionRoom(sql, session, bytes);
  if (full !== undefined) return refuse(full);
  let sequence = last.value;
  for (const saying of sayings) {
    sequence += 1n;
    const misfit = checkSaying(saying, sequence);
    if (misfit !== undefined) return refuse(misfit);
    insert(sql, conversation, { ...saying, sequence }, at);
  }
  const title = makeTitle(sayings.find(({ role, text }) => role === "user" && text !== "")?.text ?? "");
  sql.run(
    "UPDATE conversations SET sayings = ?, bytes = bytes + ?, changed = ?, changedMs = ?, title = iif(title = '', ?, title) WHERE id = ?",
    sequence,
    bytes,
    computeNextChange(sql, session),
    at,
    title,
    conversation,
  );
  return accept(sequence);
}

/** The conversation to fork, the last saying to copy, and the prefix of the new conversation's name. */
interface Forked {
  readonly session: string;
  readonly from: { readonly conversation: string; readonly through: bigint };
  readonly prefix: string;
  readonly at: WallMs;
}

/**
 * Creates a conversation with a copy of another conversation's sayings up to a sequence number; 0 copies all of them.
 * Fails if there are no sayings to copy, or no space.
 */
export function forkOf(sql: Sql, { session, from: { conversation, through }, prefix, at }: Forked): Result<string> {
  const last = findLastSequence(sql, session, conversation);
  if (!last.ok) return last;
  if (last.value === 0n) return refuse("nothing was said in it");
  const upTo = through === 0n || through > last.value ? last.value : through;
  const upToHere = "FROM sayings WHERE conversation = ? AND sequence <= ?";
  const bytes = Number(
    sql.findFirst(`SELECT coalesce(sum(bytes), 0) AS n ${upToHere}`, conversation, upTo)?.["n"] ?? 0,
  );
  const full = checkSessionRoom(sql, session, bytes);
  if (full !== undefined) return refuse(full);
  const name = beginIn(sql, session, prefix, at);
  if (!name.ok) return name;
  const rows = sql.findAll(`SELECT number ${upToHere} ORDER BY sequence`, conversation, upTo);
  for (const { number } of rows) if (isCount(number)) copy(sql, number, name.value);
  copyVectors(sql, session, conversation, name.value);
  const title = "(SELECT title FROM conversations WHERE id = ?)";
  const set = `sayings = ?, bytes = ?, parent = ?, title = ${title}`;
  sql.run(`UPDATE conversations SET ${set} WHERE id = ?`, upTo, bytes, conversation, conversation, name.value);
  return name;
}

/**
 * Hides a conversation: searches no longer find it, but its words still exist. Fails if there is no such conversation.
 */
export function markForgotten(sql: Sql, session: string, conversation: string): Result<true> {
  const last = findLastSequence(sql, session, conversation);
  if (!last.ok) return last;
  sql.run("UPDATE conversations SET forgotten = 1 WHERE id = ?", conversation);
  return accept(true);
}

/** Erases some sayings of a forgotten conversation, with their words in the index; returns true when none is left. */
export function eraseSome(sql: Sql, conversation: string): boolean {
  const rows = sql.findAll("SELECT number FROM sayings WHERE conversation = ? LIMIT ?", conversation, ERASED_AT_ONCE);
  for (const { number } of rows) {
    if (!isCount(number)) continue;
    sql.run(
      `INSERT INTO words (words, rowid, text) SELECT 'delete', number, ${INDEXED} FROM sayings WHERE number = ?`,
      number,
    );
    sql.run("DELETE FROM sayings WHERE number = ?", number);
    eraseVector(sql, number);
  }
  if (rows.length === 0) sql.run("DELETE FROM conversations WHERE id = ?", conversation);
  return rows.length === 0;
}

/** Returns some free pages to the disk; returns true while there may be more. */
export function giveBackSome(sql: Sql): boolean {
  const free = () => Number(Object.values(sql.findFirst("PRAGMA freelist_count") ?? {})[0] ?? 0);
  const before = free();
  if (before > 0) sql.database.exec(`PRAGMA incremental_vacuum(${GIVEN_BACK_AT_ONCE})`);
  return free() < before;
}

function insert(sql: Sql, conversation: string, saying: Saying, at: WallMs): void {
  const { sequence, turn, role, text, calls, callId, source, outcome, through } = saying;
  const made = serializeCalls(calls);
  const number = sql.run(
    "INSERT INTO sayings VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ...[conversation, sequence, turn, role, text, made, callId, source, outcome, through, at, countSayingBytes(saying)],
  );
  index(sql, number);
}

function copy(sql: Sql, number: bigint, to: string): void {
  const columns = "sequence, turn, role, text, calls, callId, source, outcome, through, saidMs, bytes";
  const made = sql.run(`INSERT INTO sayings SELECT NULL, ?, ${columns} FROM sayings WHERE number = ?`, to, number);
  index(sql, made);
}

function index(sql: Sql, number: bigint): void {
  sql.run(`INSERT INTO words (rowid, text) SELECT number, ${INDEXED} FROM sayings WHERE number = ?`, number);
}

/** Returns why the session has no space for this many bytes, or `undefined` if it has. */
function checkSessionRoom(sql: Sql, session: string, bytes: number): string | undefined {
  if (Number(measureUsage(sql, session).bytes) + bytes <= MAX_SESSION_BYTES) return undefined;
  return `the ${MAX_SESSION_BYTES / MIB} MiB of this session are full; /forget makes room`;
}

/** Returns the number of the session's next change; conversations are listed by the number of their last change. */
function computeNextChange(sql: Sql, session: string): bigint {
  const newest = sql.findFirst("SELECT max(changed) AS n FROM conversations WHERE session = ?", session)?.["n"];
  return (isCount(newest) ? newest : 0n) + 1n;
}

function makeTitle(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH).toWellFormed()} …`;
}
