// Queries on a session's conversations. Every query contains the name of its session.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Row, Sql, Word } from "../../lib/sqlite/index.ts";
import type { ConversationFacts, Hit, Saying } from "../../lib/wire/generated/conversations.ts";
import { MAX_HITS, MAX_LISTED, MAX_READ_BYTES, RECENT_BYTES } from "./limits.ts";
import { fuseRankings } from "./meaning/rank-fusion.ts";
import { countSayingBytes, isCount, NO_SAYING, parseSaying } from "./saying.ts";
import { cutExcerpt, extractWords, matchOf } from "./search-words.ts";

export const SPOILED = "the file of conversations is spoiled; it is put aside when this service starts again";
export const NONE_OPEN = "no conversation is open in this session";

/** Maximum number of sayings that are read at one time. */
const MOST_READ = 512;

export interface RecentConversation {
  readonly conversation: string;
  readonly sayings: readonly Saying[];
  readonly summary: Saying;
  readonly last: bigint;
}

/** Returns the sequence number of a conversation's last saying. Fails if the conversation does not exist. */
export function findLastSequence(sql: Sql, session: string, conversation: string): Result<bigint> {
  const where = "WHERE id = ? AND session = ? AND forgotten = 0";
  const sayings = sql.findFirst(`SELECT sayings FROM conversations ${where}`, conversation, session)?.["sayings"];
  return isCount(sayings) ? accept(sayings) : refuse("this session has no such conversation");
}

/** Returns the conversation that is open in this run of the machine, or `undefined`. */
export function openIn(sql: Sql, session: string, bootId: string): string | undefined {
  const row = sql.findFirst("SELECT conversation FROM opened WHERE session = ? AND boot = ?", session, bootId);
  return typeof row?.["conversation"] === "string" ? row["conversation"] : undefined;
}

/**
 * Returns the newest sayings, beginning with a person's words, and the newest summary. Fails if no conversation is
 * open.
 */
export function readRecent(sql: Sql, session: string, bootId: string): Result<RecentConversation> {
  const conversation = openIn(sql, session, bootId);
  if (conversation === undefined) return refuse(NONE_OPEN);
  const last = findLastSequence(sql, session, conversation);
  if (!last.ok) return last;
  const where = "WHERE conversation = ? AND through";
  const row = sql.findFirst(`SELECT * FROM sayings ${where} > 0 ORDER BY sequence DESC LIMIT 1`, conversation);
  const summary = row === undefined ? NO_SAYING : parseSaying(row);
  if (summary === undefined) return refuse(SPOILED);
  const newest = take(sql, RECENT_BYTES, `SELECT * FROM sayings ${where} = 0 ORDER BY sequence DESC`, conversation);
  if (!newest.ok) return newest;
  const sayings = newest.value.toReversed();
  const first = sayings.findIndex(({ role }) => role === "user");
  return accept({ conversation, sayings: first === -1 ? [] : sayings.slice(first), summary, last: last.value });
}

/** The part of a conversation to read, and the most bytes to return. */
interface ReadAsked {
  readonly session: string;
  readonly conversation: string;
  readonly after: bigint;
  readonly mostBytes: number;
}

export function readOf(sql: Sql, { session, conversation, after, mostBytes }: ReadAsked) {
  const last = findLastSequence(sql, session, conversation);
  if (!last.ok) return last;
  const query = "SELECT * FROM sayings WHERE conversation = ? AND sequence > ? ORDER BY sequence";
  const taken = take(sql, Math.min(mostBytes, MAX_READ_BYTES), query, conversation, after);
  return taken.ok ? accept({ sayings: taken.value, last: last.value }) : taken;
}

/**
 * Returns whole sayings until their bytes reach the limit; the first saying is returned in any case. Fails if a row has
 * a form that this program does not write.
 */
function take(sql: Sql, mostBytes: number, query: string, ...words: readonly Word[]): Result<readonly Saying[]> {
  const taken: Saying[] = [];
  let bytes = 0;
  for (const row of sql.iterateRows(query, ...words)) {
    const saying = parseSaying(row);
    if (saying === undefined) return refuse(SPOILED);
    bytes += countSayingBytes(saying);
    if (taken.length > 0 && (bytes > mostBytes || taken.length >= MOST_READ)) break;
    taken.push(saying);
  }
  return accept(taken);
}

export interface Listing {
  readonly conversations: readonly ConversationFacts[];
  readonly total: number;
}

/** Returns the conversations that have sayings, the last changed one first. */
export function listOf(sql: Sql, session: string, most: number): Listing {
  const where = "WHERE session = ? AND forgotten = 0 AND sayings > 0";
  const limit = Math.min(most, MAX_LISTED);
  const rows = sql.findAll(`SELECT * FROM conversations ${where} ORDER BY changed DESC LIMIT ?`, session, limit);
  const total = Number(sql.findFirst(`SELECT count(*) AS n FROM conversations ${where}`, session)?.["n"] ?? 0);
  return { conversations: rows.flatMap((row) => parseFacts(row) ?? []), total };
}

/** A search in a session; an empty conversation name means all conversations. */
export interface SearchQuery {
  readonly words: string;
  readonly conversation: string;
  readonly most: number;
}

/** Returns hits, best first. `near` lists rows of sayings that are near in meaning to the query, nearest first. */
export function searchIn(
  sql: Sql,
  session: string,
  { words: asked, conversation, most }: SearchQuery,
  near: readonly bigint[] = [],
): Result<readonly Hit[]> {
  const words = extractWords(asked);
  if (words.length === 0) return refuse("there is no word in it to look for");
  const limit = Math.min(most, MAX_HITS);
  const here = "c.session = ? AND c.forgotten = 0 AND (? = '' OR c.id = ?)";
  const rows = sql.findAll(
    `SELECT s.* FROM words JOIN sayings s ON s.number = words.rowid JOIN conversations c ON c.id = s.conversation
     WHERE words MATCH ? AND ${here} ORDER BY rank, s.number DESC LIMIT ?`,
    ...[matchOf(words), session, conversation, conversation, limit],
  );
  const one = `SELECT s.* FROM sayings s JOIN conversations c ON c.id = s.conversation WHERE s.number = ? AND ${here}`;
  const byWords = new Map(rows.flatMap((row) => (isCount(row["number"]) ? [[row["number"], row] as const] : [])));
  const numbers = fuseRankings([[...byWords.keys()], near]).slice(0, limit);
  return accept(
    numbers.flatMap((number) => {
      const row = byWords.get(number) ?? sql.findFirst(one, number, session, conversation, conversation);
      const hit = row && parseHit(row, words);
      return hit === undefined ? [] : [{ ...hit, byWords: byWords.has(number), byMeaning: near.includes(number) }];
    }),
  );
}

export interface Usage {
  readonly bytes: bigint;
  readonly conversations: number;
}

export function measureUsage(sql: Sql, session: string): Usage {
  const sums = "coalesce(sum(bytes), 0) AS bytes, count(*) AS n";
  const row = sql.findFirst(`SELECT ${sums} FROM conversations WHERE session = ? AND sayings > 0`, session);
  return { bytes: isCount(row?.["bytes"]) ? row["bytes"] : 0n, conversations: Number(row?.["n"] ?? 0) };
}

function parseFacts({ id, title, sayings, bytes, changedMs, parent }: Row): ConversationFacts | undefined {
  if (typeof id !== "string" || typeof title !== "string" || typeof parent !== "string") return undefined;
  if (!isCount(sayings) || !isCount(bytes) || !isCount(changedMs)) return undefined;
  return { conversation: id, title, sayings, bytes, changedMs, parent };
}

function parseHit(row: Row, words: readonly string[]): Omit<Hit, "byWords" | "byMeaning"> | undefined {
  const saying = parseSaying(row);
  const { conversation } = row;
  if (saying === undefined || typeof conversation !== "string") return undefined;
  const { sequence, role, text, calls } = saying;
  return {
    conversation,
    sequence,
    role,
    excerpt: cutExcerpt([text, ...calls.map(renderCall)].join(" ").trim(), words),
  };
}

/** Renders a call as an export does. */
function renderCall({ name, arguments: args }: Saying["calls"][number]): string {
  return `calls ${name} ${args}`;
}
