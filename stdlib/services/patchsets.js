// What answers for PatchSets where a page names no program of its own: changes that are proposed to the files of the one service
// that the page grants. It sees of them what a proposal quotes and no more; that service applies a set whole or not at all.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const MAX_PROPOSALS = 100;
const MAX_TITLE = 256;
/** In UTF-16 code units: what is shown fits into one answer, however it is escaped. */
const MAX_EDITS = 64 * 1024;

/** `AUTOINCREMENT`: an id is never given twice, so that nobody agrees to one proposal and has another one applied. */
const TABLES = `
  PRAGMA synchronous = EXTRA;
  PRAGMA trusted_schema = OFF;
  CREATE TABLE IF NOT EXISTS proposals (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, edits TEXT NOT NULL);`;

/** By directory; a process has one, or none: then all of it is gone when the process ends. */
const open = new Map();

/** `vfs=unix-none`: nobody else opens the file, and the jail knows no locks. */
function database(directory) {
  const before = open.get(directory);
  if (before !== undefined) return before;
  const where = directory === undefined ? ":memory:" : `file:${join(directory, "patches.db")}?vfs=unix-none`;
  try {
    const made = new DatabaseSync(where);
    made.exec(TABLES);
    open.set(directory, made);
    return made;
  } catch (error) {
    throw new Error(`what was proposed cannot be read: ${error.message}`);
  }
}

function numberOf(id) {
  return Number(/^p([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);
}

function proposal(id, directory) {
  const found = database(directory).prepare("SELECT title, edits FROM proposals WHERE id = ?").get(numberOf(id));
  if (found === undefined) throw new Error(`there is no proposal ${id}`);
  return { title: found.title, edits: JSON.parse(found.edits) };
}

function remove(id, directory) {
  return database(directory).prepare("DELETE FROM proposals WHERE id = ?").run(numberOf(id)).changes;
}

/** The files of the one service that the page grants; the page's laws see to that. */
const filesOf = (held) => Object.values(held)[0];

export default {
  list(_, { directory }) {
    const found = database(directory).prepare("SELECT id, title FROM proposals ORDER BY id").all();
    return { patches: found.map(({ id, title }) => ({ id: `p${id}`, title })) };
  },

  show({ id }, { directory }) {
    const { title, edits } = proposal(id, directory);
    return { title, edits: edits.map(({ edit }) => edit) };
  },

  async propose({ title, edits }, { directory, held }) {
    if (title.length > MAX_TITLE) throw new Error(`a title has at most ${MAX_TITLE} characters`);
    const asked = edits.map((edit) => ({ edit, digest: "" }));
    const { digests } = await filesOf(held).check({ edits: asked });
    // What is applied is what was looked at: a file that has changed since is another one.
    const kept = JSON.stringify(edits.map((edit, index) => ({ edit, digest: digests[index] })));
    if (kept.length > MAX_EDITS) throw new Error(`the edits of a change have at most ${MAX_EDITS} characters`);
    // Counted last: who asked at the same time has waited for the files as well.
    const proposals = database(directory);
    const { many } = proposals.prepare("SELECT count(*) AS many FROM proposals").get();
    if (many >= MAX_PROPOSALS) throw new Error(`at most ${MAX_PROPOSALS} changes are proposed at a time`);
    const { lastInsertRowid } = proposals.prepare("INSERT INTO proposals (title, edits) VALUES (?, ?)").run(title, kept);
    return { id: `p${lastInsertRowid}` };
  },

  async apply({ id }, { directory, held }) {
    const { edits } = proposal(id, directory);
    // After a crash in between it is still proposed, and does not fit any more.
    await filesOf(held).apply({ edits });
    remove(id, directory);
    return {};
  },

  discard({ id }, { directory }) {
    if (!remove(id, directory)) throw new Error(`there is no proposal ${id}`);
    return {};
  },
};
