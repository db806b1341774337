// What answers for Memory where a page names no program of its own: entries in one file, found by the words that they share
// with a question. It is run by engine/services/own as any operator's program is, and holds no more than that.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const MAX_ENTRIES = 1000;
/** In UTF-16 code units: what is recalled at most still fits into one answer, however it is escaped. */
const MAX_CONTENT = 4096;
const MAX_TOPIC = 256;
const MAX_RECALLED = 20;

async function read(directory) {
  try {
    return JSON.parse(await readFile(join(directory, "entries.json"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return { next: 1, entries: [] };
    throw new Error("what was remembered cannot be read");
  }
}

/** Beside the old file first: a crash leaves one of the two, whole. */
async function write(directory, memory) {
  await writeFile(join(directory, "entries.next"), JSON.stringify(memory), { flush: true });
  await rename(join(directory, "entries.next"), join(directory, "entries.json"));
}

/** One change after the other: calls may come at the same time. */
let last = Promise.resolve();
function inTurn(change) {
  const done = last.then(change);
  last = done.catch(() => {});
  return done;
}

function wordsIn(text) {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** Words of the question that an entry has; one in the topic counts twice. */
function scoreOf({ topic, content }, asked) {
  const [inTopic, inContent] = [wordsIn(topic), wordsIn(content)];
  let score = 0;
  for (const word of asked) score += (inTopic.has(word) ? 2 : 0) + (inContent.has(word) ? 1 : 0);
  return score;
}

export default {
  store({ topic, content }, { directory }) {
    if (topic.length > MAX_TOPIC) throw new Error(`a topic has at most ${MAX_TOPIC} characters`);
    if (content.length > MAX_CONTENT) throw new Error(`an entry has at most ${MAX_CONTENT} characters`);
    return inTurn(async () => {
      const { next, entries } = await read(directory);
      if (entries.length >= MAX_ENTRIES) throw new Error(`at most ${MAX_ENTRIES} entries are remembered`);
      const id = `m${next}`;
      await write(directory, { next: next + 1, entries: [...entries, { id, topic, content }] });
      return { id };
    });
  },

  async recall({ query, most = 10 }, { directory }) {
    const asked = wordsIn(query);
    const { entries } = await read(directory);
    const scored = entries.map((entry, at) => ({ entry, at, score: scoreOf(entry, asked) }));
    const found = scored.filter(({ score }) => score > 0);
    found.sort((left, right) => right.score - left.score || right.at - left.at);
    return { entries: found.slice(0, Math.min(most, MAX_RECALLED)).map(({ entry }) => entry) };
  },

  forget({ id }, { directory }) {
    return inTurn(async () => {
      const { next, entries } = await read(directory);
      const left = entries.filter((entry) => entry.id !== id);
      if (left.length === entries.length) throw new Error(`there is no entry ${id}`);
      await write(directory, { next, entries: left });
      return {};
    });
  },
};
