// What answers for Memory where a page names no program of its own: entries in one SQLite file, found by the words that they
// share with a question (FTS5). It is run by engine/processes/services/own as any operator's program is, and holds no more than that.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const MAX_ENTRIES = 10_000;
/** In UTF-16 code units: what is recalled at most still fits into one answer, however it is escaped. */
const MAX_CONTENT = 4096;
const MAX_TOPIC = 256;
const MAX_RECALLED = 20;
/** Words of a question that are looked for; each is one more list to be read. */
const MAX_WORDS = 64;
/** SQLite's own, of which its file is made. */
const PAGE_BYTES = 4096;
/** As SQLite's documentation numbers them: no room on the disk or in the file's limit; a name that may come back after a crash. */
const [FULL, UNSYNCED] = [13, 1290];
/** Of the state: the rest is for forgetting. */
const STORED_SHARE = 7 / 8;
const NO_ROOM = "there is no room left on the disk, or in the state that the page gives";

/** `AUTOINCREMENT`: an id is never given twice. The trigger keeps the words beside what they came from, in one transaction. */
const TABLES = `
  PRAGMA synchronous = EXTRA;
  PRAGMA trusted_schema = OFF;
  CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, content TEXT NOT NULL);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (topic, content, content = 'entries', content_rowid = 'id');
  CREATE TRIGGER IF NOT EXISTS stored AFTER INSERT ON entries BEGIN
    INSERT INTO words (rowid, topic, content) VALUES (new.id, new.topic, new.content);
  END;
  CREATE TRIGGER IF NOT EXISTS forgotten AFTER DELETE ON entries BEGIN
    INSERT INTO words (words, rowid, topic, content) VALUES ('delete', old.id, old.topic, old.content);
  END;`;

/** An entry of exactly this topic goes before all others, and the newest before older ones that match as well. */
const RECALL = `
  SELECT id, topic, content FROM (
    SELECT id, topic, content, 0 AS place, 0.0 AS match FROM entries WHERE topic = :query
    UNION ALL
    SELECT id, entries.topic, entries.content, 1, bm25(words, 2.0, 1.0) FROM words JOIN entries ON id = words.rowid
      WHERE words MATCH :words AND entries.topic <> :query
  ) ORDER BY place, match, id DESC LIMIT :most`;

/** The index made again from the entries: piece by piece, for to merge them would take their room twice. */
const REBUILD = `
  INSERT INTO words (words) VALUES ('delete-all');
  INSERT INTO words (words, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
  INSERT INTO words (words) VALUES ('rebuild');
  INSERT INTO words (words, rank) VALUES ('automerge', 4), ('crisismerge', 16);`;

/** By directory; a process has one, or none: then all of it is gone when the process ends. */
const open = new Map();

/** `vfs=unix-none`: nobody else opens the file, and the jail knows no locks. It grows no further than the page's state. */
function database({ directory, stateBytes }) {
  const before = open.get(directory);
  if (before !== undefined) return before;
  const where = directory === undefined ? ":memory:" : `file:${join(directory, "memory.db")}?vfs=unix-none`;
  let made;
  try {
    made = new DatabaseSync(where);
    limit(made, { directory, stateBytes }, 1);
    made.exec(TABLES);
  } catch (error) {
    made?.close();
    throw new Error(error.errcode === FULL ? NO_ROOM : `what was remembered cannot be read: ${error.message}`);
  }
  open.set(directory, made);
  return made;
}

/** Of what the page gives the file may take this share; without state it takes what it needs. */
function limit(memory, { directory, stateBytes }, share) {
  if (directory === undefined) return;
  memory.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor((stateBytes * share) / PAGE_BYTES))}`);
}

/** A change of what is remembered. What is refused did not happen, unless it is said that it did. */
function change(memory, run) {
  try {
    return withRoom(memory, run);
  } catch (error) {
    if (error.errcode === FULL) throw new Error(NO_ROOM);
    if (error.errcode === UNSYNCED) throw new Error(`it is done, and a crash may undo it: ${error.message}`);
    throw new Error(`the disk failed: ${error.message}`);
  }
}

/** The index grows before it shrinks. Where it has no room for that, it is made again in what its own pages leave. */
function withRoom(memory, run) {
  try {
    return run();
  } catch (error) {
    if (error.errcode !== FULL) throw error;
  }
  memory.exec("BEGIN");
  try {
    const done = run();
    memory.exec(REBUILD);
    memory.exec("COMMIT");
    return done;
  } finally {
    if (memory.isTransaction) memory.exec("ROLLBACK");
  }
}

/** The words of a question as FTS5 takes them: each in quotes, so that none is an operator. */
function wordsIn(query) {
  const words = new Set(query.match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...words].slice(0, MAX_WORDS).map((word) => `"${word}"`).join(" OR ");
}

export default {
  store({ topic, content }, surroundings) {
    if (topic.length > MAX_TOPIC) throw new Error(`a topic has at most ${MAX_TOPIC} characters`);
    if (content.length > MAX_CONTENT) throw new Error(`an entry has at most ${MAX_CONTENT} characters`);
    const memory = database(surroundings);
    const { many } = memory.prepare("SELECT count(*) AS many FROM entries").get();
    if (many >= MAX_ENTRIES) throw new Error(`at most ${MAX_ENTRIES} entries are remembered`);
    const insertion = memory.prepare("INSERT INTO entries (topic, content) VALUES (?, ?)");
    limit(memory, surroundings, STORED_SHARE);
    const { lastInsertRowid } = change(memory, () => insertion.run(topic, content));
    return { id: `m${lastInsertRowid}`, said: `Stored: ${topic} = ${content}` };
  },

  recall({ query, most = 10 }, surroundings) {
    const found = database(surroundings)
      .prepare(RECALL)
      .all({ query, words: wordsIn(query) || '""', most: Math.min(most, MAX_RECALLED) });
    const entries = found.map(({ id, topic, content }) => ({ id: `m${id}`, topic, content }));
    const [best] = entries;
    return { entries, said: best ? `${best.topic} = ${best.content}` : "nothing of it is remembered" };
  },

  forget({ id }, surroundings) {
    const number = Number(/^m([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);
    const memory = database(surroundings);
    limit(memory, surroundings, 1);
    const deletion = memory.prepare("DELETE FROM entries WHERE id = ?");
    if (!change(memory, () => deletion.run(number).changes)) throw new Error(`there is no entry ${id}`);
    return {};
  },
};
