// Finds sayings of a conversation that match a request, by the index. A rare word counts more than a frequent one; a word that is
// in more than a quarter of the sayings is ignored.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Row, Sql } from "../../lib/sqlite/index.ts";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import { MAX_RECALL_BYTES, MOST_RECALLED, PASSAGE_LENGTH } from "./limits.ts";
import { fuseRankings } from "./meaning/rank-fusion.ts";
import { SPOILED } from "./reading.ts";
import { isCount, parseSaying } from "./saying.ts";
import { cutPassage, selectTellingWords } from "./search-words.ts";

/**
 * Maximum number of sayings read for one word. A word that more sayings contain is common, however long the
 * conversation is.
 */
const MOST_HOLDING = 256;
/**
 * A word that occurs in at most two sayings always adds to their scores. A word that occurs in more sayings does so
 * only if at most the share `COMMON_SHARE` of the sayings contains it.
 */
const LEAST_HOLDING = 2;
const COMMON_SHARE = 0.25;
/** Number of passages that should fit into one recall; if there is little space, each passage is shortened. */
const FEWEST_FITTING = 3;
const LEAST_PASSAGE_LENGTH = 200;
/** Hits with less than half the best score are left out, because they are probably accidental. */
const WORTH = 0.5;

export interface RecallRequest {
  readonly conversation: string;
  /** The request, as a person worded it. */
  readonly words: string;
  /** Only sayings with a lower sequence number are searched. */
  readonly before: bigint;
  /** Maximum bytes of text in the sayings that are returned. */
  readonly mostBytes: number;
}

/**
 * Range of a conversation's rows. A later saying has a higher row number; rows of other conversations may be in the
 * range.
 */
interface Stretch {
  readonly conversation: string;
  readonly first: bigint;
  readonly last: bigint;
  readonly count: number;
}

interface Found {
  readonly sayings: readonly Saying[];
  /** Sequence numbers of the sayings that were found only by meaning. */
  readonly byMeaning: readonly bigint[];
}

const NOTHING: Found = { sayings: [], byMeaning: [] };

/**
 * Returns matching sayings, best first, each with its answers and without summaries. `near` lists rows of sayings that
 * are near in meaning to the request, nearest first.
 */
export function recallFrom(
  sql: Sql,
  { conversation, words, before, mostBytes }: RecallRequest,
  near: readonly bigint[] = [],
): Result<Found> {
  const asked = selectTellingWords(words);
  const stretch = findStretch(sql, conversation, before);
  if (stretch === undefined || (asked.length === 0 && near.length === 0)) return accept(NOTHING);
  const addAnswers = (numbers: readonly bigint[]) =>
    new Set(numbers.flatMap((number) => [number, ...findAnswers(sql, stretch, number)]));
  const byWords = pickBest(computeScores(sql, stretch, asked));
  const best = fuseRankings([byWords, near.filter((number) => isWithin(sql, stretch, before, number))]);
  const worded = addAnswers(byWords);
  const most = Math.min(mostBytes, MAX_RECALL_BYTES);
  const length = Math.min(PASSAGE_LENGTH, Math.max(LEAST_PASSAGE_LENGTH, Math.floor(most / FEWEST_FITTING)));
  const sayings: Saying[] = [];
  const byMeaning: bigint[] = [];
  let bytes = 0;
  for (const number of addAnswers(best.slice(0, MOST_RECALLED))) {
    const saying = parseSaying(sql.findFirst("SELECT * FROM sayings WHERE number = ?", number) ?? {});
    if (saying === undefined) return refuse(SPOILED);
    // A saying that consists of calls without text is not recalled.
    if (saying.text === "") continue;
    const shown = { ...saying, text: cutPassage(saying.text, asked, length), calls: [] };
    bytes += Buffer.byteLength(shown.text);
    if (bytes > most) break;
    sayings.push(shown);
    if (!worded.has(number)) byMeaning.push(shown.sequence);
  }
  return accept({ sayings, byMeaning });
}

/** Returns whether a row is still a saying of this range: it may have been deleted since, and its number reused. */
function isWithin(sql: Sql, { conversation }: Stretch, before: bigint, number: bigint): boolean {
  const where = "WHERE number = ? AND conversation = ? AND sequence < ? AND through = 0";
  return sql.findFirst(`SELECT 1 AS one FROM sayings ${where}`, number, conversation, before) !== undefined;
}

function findStretch(sql: Sql, conversation: string, before: bigint): Stretch | undefined {
  const where = "WHERE conversation = ? AND sequence < ? AND through = 0";
  const row = sql.findFirst(
    `SELECT min(number) AS first, max(number) AS last, count(*) AS n FROM sayings ${where}`,
    conversation,
    before,
  );
  const { first, last, n }: Row = row ?? {};
  return isCount(first) && isCount(last) ? { conversation, first, last, count: Number(n) } : undefined;
}

/** Returns a score for each row number: the sum of the weights of the words that the row contains. A rare word has a higher weight. */
function computeScores(sql: Sql, stretch: Stretch, words: readonly string[]): ReadonlyMap<bigint, number> {
  const scores = new Map<bigint, number>();
  const most = Math.min(MOST_HOLDING, Math.max(LEAST_HOLDING, stretch.count * COMMON_SHARE));
  for (const word of words) {
    const holding = findHolding(sql, stretch, word);
    if (holding.length > most) continue;
    const weight = Math.log(1 + stretch.count / holding.length);
    for (const number of holding) scores.set(number, (scores.get(number) ?? 0) + weight);
  }
  return scores;
}

function findHolding(sql: Sql, { conversation, first, last }: Stretch, word: string): readonly bigint[] {
  const rows = sql.findAll(
    `SELECT s.number FROM words JOIN sayings s ON s.number = words.rowid
     WHERE words MATCH ? AND words.rowid BETWEEN ? AND ? AND s.conversation = ? AND s.through = 0
     ORDER BY words.rowid DESC LIMIT ?`,
    // In a quoted word of a full-text query, only a quote is special, and no word here contains one. The star also
    // finds longer words that begin with this word.
    `"${word}"*`,
    first,
    last,
    conversation,
    MOST_HOLDING + 1,
  );
  return rows.flatMap(({ number }) => (isCount(number) ? [number] : []));
}

/** Returns the best rows; of two with equal scores the newer comes first. */
function pickBest(scores: ReadonlyMap<bigint, number>): readonly bigint[] {
  const sorted = [...scores].sort(([a, one], [b, other]) => other - one || Number(b - a));
  const floor = (sorted[0]?.[1] ?? 0) * WORTH;
  return sorted.flatMap(([number, score]) => (score >= floor ? [number] : [])).slice(0, MOST_RECALLED);
}

/**
 * Returns the row of the answer to a person's message, or an empty list. The answer is recalled with the message,
 * because a question without its answer is useless. It is the agent's last message before the next question.
 */
function findAnswers(sql: Sql, { conversation, last }: Stretch, number: bigint): readonly bigint[] {
  const where = "WHERE conversation = ? AND sequence >";
  const asked = sql.findFirst("SELECT sequence FROM sayings WHERE number = ? AND role = 'user'", number)?.["sequence"];
  if (!isCount(asked)) return [];
  const next = `SELECT sequence FROM sayings ${where} ? AND role = 'user' ORDER BY sequence LIMIT 1`;
  const row = sql.findFirst(
    `SELECT number FROM sayings ${where} ? AND sequence < coalesce((${next}), sequence + 1) AND number <= ?
       AND role = 'assistant' AND text <> '' AND through = 0 ORDER BY sequence DESC LIMIT 1`,
    ...[conversation, asked, conversation, asked, last],
  );
  return isCount(row?.["number"]) ? [row["number"]] : [];
}
