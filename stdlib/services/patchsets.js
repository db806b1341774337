// What answers for PatchSets where a page names no program of its own: changes that are proposed to the files of the one service
// that the page grants. It sees of them what a proposal quotes and no more; that service applies a set whole or not at all.

import { randomInt } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const MAX_PROPOSALS = 100;
const MAX_TITLE = 256;
/** In UTF-16 code units: what is shown fits into one answer, however it is escaped. */
const MAX_EDITS = 64 * 1024;
/** SQLite's own, of which its file is made. */
const PAGE_BYTES = 4096;
/** As SQLite's documentation numbers them: no room on the disk or in the file's limit; a name that may come back after a crash. */
const [FULL, UNSYNCED] = [13, 1290];
const NO_ROOM = "there is no room left on the disk, or in the state that the page gives";

/** Where ids begin that nothing outlasts: where the process before began, nobody begins again. Most that `randomInt` takes. */
const MAX_BEGINNING = 2 ** 48 - 1;

/**
 * `AUTOINCREMENT`: an id is never given twice, and nothing here changes a row. So nobody agrees to one proposal and has another one
 * applied, although the question shows the id alone.
 */
const TABLES = `
  PRAGMA synchronous = EXTRA;
  PRAGMA trusted_schema = OFF;
  CREATE TABLE IF NOT EXISTS proposals (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, edits TEXT NOT NULL);`;

/** By directory; a process has one, or none: then all of it is gone when the process ends. */
const open = new Map();

/** `vfs=unix-none`: nobody else opens the file, and the jail knows no locks. It grows no further than the page's state. */
function database({ directory, stateBytes }) {
  const before = open.get(directory);
  if (before !== undefined) return before;
  const where = directory === undefined ? ":memory:" : `file:${join(directory, "patches.db")}?vfs=unix-none`;
  let made;
  try {
    made = new DatabaseSync(where);
    if (directory !== undefined) made.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(stateBytes / PAGE_BYTES))}`);
    made.exec(TABLES);
    if (directory === undefined) beginAnywhere(made);
  } catch (error) {
    made?.close();
    throw new Error(error.errcode === FULL ? NO_ROOM : `what was proposed cannot be read: ${error.message}`);
  }
  open.set(directory, made);
  return made;
}

function beginAnywhere(proposals) {
  const beginning = proposals.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('proposals', ?)");
  beginning.run(BigInt(randomInt(MAX_BEGINNING)));
}

/** A change of what is proposed. What is refused did not happen, unless it is said that it did. */
function change(run) {
  try {
    return run();
  } catch (error) {
    if (error.errcode === FULL) throw new Error(NO_ROOM);
    if (error.errcode === UNSYNCED) throw new Error(`it is done, and a crash may undo it: ${error.message}`);
    throw new Error(`the disk failed: ${error.message}`);
  }
}

function numberOf(id) {
  return Number(/^p([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);
}

function proposal(id, surroundings) {
  const found = database(surroundings).prepare("SELECT title, edits FROM proposals WHERE id = ?").get(numberOf(id));
  if (found === undefined) throw new Error(`there is no proposal ${id}`);
  return { title: found.title, edits: JSON.parse(found.edits) };
}

function remove(id, surroundings) {
  const deletion = database(surroundings).prepare("DELETE FROM proposals WHERE id = ?");
  return change(() => deletion.run(numberOf(id)).changes);
}

/** The files of the one service that the page grants; the page's laws see to that. */
const filesOf = (held) => Object.values(held)[0];

export default {
  list(_, surroundings) {
    const found = database(surroundings).prepare("SELECT id, title FROM proposals ORDER BY id").all();
    return { patches: found.map(({ id, title }) => ({ id: `p${id}`, title })) };
  },

  show({ id }, surroundings) {
    const { title, edits } = proposal(id, surroundings);
    return { title, edits: edits.map(({ edit }) => edit) };
  },

  async propose({ title, edits }, surroundings) {
    if (title.length > MAX_TITLE) throw new Error(`a title has at most ${MAX_TITLE} characters`);
    const asked = edits.map((edit) => ({ edit, digest: "" }));
    const { digests } = await filesOf(surroundings.held).check({ edits: asked });
    // What is applied is what was looked at: a file that has changed since is another one.
    const kept = JSON.stringify(edits.map((edit, index) => ({ edit, digest: digests[index] })));
    if (kept.length > MAX_EDITS) throw new Error(`the edits of a change have at most ${MAX_EDITS} characters`);
    // Counted last: who asked at the same time has waited for the files as well.
    const proposals = database(surroundings);
    const { many } = proposals.prepare("SELECT count(*) AS many FROM proposals").get();
    if (many >= MAX_PROPOSALS) throw new Error(`at most ${MAX_PROPOSALS} changes are proposed at a time`);
    const insertion = proposals.prepare("INSERT INTO proposals (title, edits) VALUES (?, ?)");
    const { lastInsertRowid } = change(() => insertion.run(title, kept));
    return { id: `p${lastInsertRowid}` };
  },

  async apply({ id }, surroundings) {
    const { edits } = proposal(id, surroundings);
    // After a crash in between it is still proposed, and does not fit any more.
    await filesOf(surroundings.held).apply({ edits });
    remove(id, surroundings);
    return {};
  },

  discard({ id }, surroundings) {
    if (!remove(id, surroundings)) throw new Error(`there is no proposal ${id}`);
    return {};
  },
};
