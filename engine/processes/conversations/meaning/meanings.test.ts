import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openCopy } from "../database.ts";
import { MAX_VECTOR_BYTES } from "../limits.ts";
import { openStore } from "../opening.ts";
import type { Store } from "../store.ts";
import { expectValue, makeSaying, makeWorld } from "../testing/saying.ts";
import { TOY_ID, type ToyPlan, toyConnection, toyVector, toyVectors } from "../testing/toy-embedder.ts";
import { type EmbedderConnection, Embedding } from "./embedding.ts";
import { Meanings } from "./meanings.ts";
import { quantizeVector } from "./vector.ts";

const inMemory = () => openStore(undefined, makeWorld());
const soon = async () => {};
/** Timeouts that are so long that they never expire while the embedder answers. */
const LONG = { searchMs: 60_000, recallMs: 60_000 };
const LITTLE = { searchMs: 50, recallMs: 50 };

function meaningsOf(store: Store, plan?: ToyPlan, sessions = ["operator"], patience = LONG): Meanings {
  const one = new Embedding(plan?.id ?? TOY_ID, toyConnection(plan));
  return new Meanings(store, new Map(sessions.map((session) => [session, one])), soon, patience);
}

function begun(store: Store, session = "operator"): string {
  const conversation = expectValue(store.begin(session));
  expectValue(store.open(session, conversation));
  return conversation;
}

function say(store: Store, meanings: Meanings, conversation: string, texts: readonly string[], session = "operator") {
  for (const text of texts) {
    const last = expectValue(store.append(session, conversation, [makeSaying(text, { turn: 1 })]));
    meanings.noticeSayings(session, conversation, last - 1n);
  }
}

const TALK = [
  "the key of the shed hangs behind the door",
  "it rains in Ulm",
  "a ticket for the train to Ulm",
  "the oven is hot",
  "nothing else is new",
  "what else is there",
];

async function found(meanings: Meanings, words: string, session = "operator") {
  const { hits, ...rest } = expectValue(await meanings.search(session, { words, conversation: "", most: 20 }));
  return { ...rest, hits: hits.map(({ sequence, byWords, byMeaning }) => [Number(sequence), byWords, byMeaning]) };
}

test("finds sayings by meaning and by words, and each hit states which method found it", async () => {
  const store = inMemory();
  const meanings = meaningsOf(store);
  const conversation = begun(store);
  say(store, meanings, conversation, TALK);
  await meanings.waitUntilIdle();
  const none = { byMeaning: true, note: "" };
  expect(await found(meanings, "padlock")).toEqual({ ...none, hits: [[1, false, true]] });
  expect(await found(meanings, "key")).toEqual({ ...none, hits: [[1, true, true]] });
  expect(await found(meanings, "Ulm")).toMatchObject({ byMeaning: true });
  // Saying 3 is found both by a word and by its meaning.
  expect((await found(meanings, "train")).hits).toEqual([[3, true, true]]);
  expect(meanings.describeStatus("operator")).toBe("6 of 6 sayings are found by meaning, too");
});

test("without an embedder, a search uses words alone, and its answer has no note about this", async () => {
  const store = inMemory();
  const meanings = Meanings.createDisabled(store);
  say(store, meanings, begun(store), TALK);
  expect(await found(meanings, "padlock")).toEqual({ hits: [], byMeaning: false, note: "" });
  expect(await found(meanings, "key")).toEqual({ hits: [[1, true, false]], byMeaning: false, note: "" });
  expect(meanings.describeStatus("operator")).toBe("");
});

test("a session finds no saying of another session, even with the same embedder", async () => {
  const store = inMemory();
  const meanings = meaningsOf(store, {}, ["operator", "visitor"]);
  say(store, meanings, begun(store), TALK);
  say(store, meanings, begun(store, "visitor"), ["the weather"], "visitor");
  await meanings.waitUntilIdle();
  expect((await found(meanings, "padlock", "visitor")).hits).toEqual([[1, false, true]]);
  expect(expectValue(store.read("visitor", "m00000000-2", 0n, 1000)).sayings[0]?.text).toBe("the weather");
});

test("stores a saying and finds it by its words while an embedder does not answer", async () => {
  const store = inMemory();
  const meanings = meaningsOf(store, { embed: () => new Promise(() => {}) }, ["operator"], LITTLE);
  const conversation = begun(store);
  say(store, meanings, conversation, TALK);
  expect(expectValue(store.read("operator", conversation, 0n, 1 << 20)).last).toBe(6n);
  expect(await found(meanings, "key")).toMatchObject({ hits: [[1, true, false]], byMeaning: false });
  expect((await found(meanings, "key")).note).toMatch(/^only words were looked for: the embedder does not answer/);
});

const INFINITE = Number.POSITIVE_INFINITY;

test.each<[string, ToyPlan, RegExp]>([
  ["a number that is NaN", one([1, Number.NaN]), /the embedder sent a vector with a number that is none/],
  ["an infinite number", one([1, INFINITE]), /the embedder sent a vector with a number that is none/],
  [
    "a vector that is too wide",
    one(Array(5000).fill(1)),
    /the embedder sent a vector of 5000 numbers, of which 4096 may be/,
  ],
  [
    "two vectors of one text",
    { embed: async () => ({ vectors: [{ values: [1] }, { values: [1] }] }) },
    /sent 2 vectors of one/,
  ],
  ["no vector", { embed: async () => ({ vectors: [] }) }, /the embedder sent 0 vectors of one text/],
  ["a failure", { embed: () => Promise.reject(new Error("broken")) }, /the embedder does not answer/],
])("the store keeps serving if an embedder sends %s, and reports the fault", async (_, plan, reason) => {
  const store = inMemory();
  const meanings = meaningsOf(store, plan);
  say(store, meanings, begun(store), TALK);
  await meanings.waitUntilIdle();
  const { hits, note } = await found(meanings, "key");
  expect(hits).toEqual([[1, true, false]]);
  expect(note).toMatch(reason);
  expect(meanings.describeStatus("operator")).toMatch(/^0 of 6 sayings are found by meaning, too; /);
  expect(meanings.describeStatus("operator")).toMatch(reason);
});

function one(values: readonly number[]): ToyPlan {
  return { embed: async (texts) => ({ vectors: texts.map(() => ({ values })) }) };
}

test("refuses a vector whose width differs from the width of the first vector", async () => {
  const store = inMemory();
  let width = 2;
  const meanings = meaningsOf(store, {
    embed: async () => ({ vectors: [{ values: Array(width++).fill(1) }] }),
  });
  say(store, meanings, begun(store), TALK);
  await meanings.waitUntilIdle();
  expect(meanings.describeStatus("operator")).toMatch(/^1 of 6 .*sent a vector of \d+ numbers after others of 2/);
});

test("sends no text to a model other than the granted model", async () => {
  const store = inMemory();
  const heard: string[] = [];
  const embedding = new Embedding(
    TOY_ID,
    toyConnection({
      id: "toy:sha256-02",
      embed: (texts) => {
        heard.push(...texts);
        return toyVectors(texts);
      },
    }),
  );
  const meanings = new Meanings(store, new Map([["operator", embedding]]), soon, LONG);
  say(store, meanings, begun(store), TALK);
  await meanings.waitUntilIdle();
  expect((await found(meanings, "key")).note).toBe(
    "only words were looked for: the embedder is another model than was granted",
  );
  expect(heard).toEqual([]);
});

test("sayings get their vectors later if the embedder failed for a while", async () => {
  const store = inMemory();
  let failures = 2;
  const meanings = meaningsOf(store, {
    embed: (texts) => (failures-- > 0 ? Promise.reject(new Error("not yet")) : toyVectors(texts)),
  });
  say(store, meanings, begun(store), TALK);
  await meanings.waitUntilIdle();
  expect(meanings.describeStatus("operator")).toBe("6 of 6 sayings are found by meaning, too");
});

test("sayings get their vectors later even if 20 requests fail, because an unavailable embedder uses up no tries of a text", async () => {
  const store = inMemory();
  const connection = toyConnection();
  let failures = 20;
  const isAway = { ok: false, code: "closed", reason: "the peer closed the connection" } as const;
  const call: EmbedderConnection["call"] = async (...asked) => (failures-- > 0 ? isAway : connection.call(...asked));
  const meanings = new Meanings(store, new Map([["operator", new Embedding(TOY_ID, { call })]]), soon, LONG);
  say(store, meanings, begun(store), TALK);
  await meanings.waitUntilIdle();
  expect(meanings.describeStatus("operator")).toBe("6 of 6 sayings are found by meaning, too");
});

test("sends no summary to the embedder, and does not count a summary as a saying without a vector", async () => {
  const store = inMemory();
  const heard: string[] = [];
  const meanings = meaningsOf(store, {
    embed: (texts) => {
      heard.push(...texts);
      return toyVectors(texts);
    },
  });
  const conversation = begun(store);
  say(store, meanings, conversation, TALK.slice(0, 1));
  expectValue(store.append("operator", conversation, [makeSaying("of a key", { role: "assistant", through: 1n })]));
  meanings.noticeSayings("operator", conversation, 1n);
  await meanings.waitUntilIdle();
  expect(heard).toEqual(TALK.slice(0, 1));
  expect(meanings.describeStatus("operator")).toBe("1 of 1 sayings are found by meaning, too");
});

test("vectors survive a restart; vectors of other weights are ignored and reported until they are recomputed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-meaning-"));
  try {
    const first = openStore(folder, makeWorld());
    const before = meaningsOf(first);
    say(first, before, begun(first), TALK);
    await before.waitUntilIdle();
    first.close();
    const never = { id: "toy:sha256-03", embed: () => new Promise<never>(() => {}) };
    const second = openStore(folder, makeWorld("1".repeat(32)));
    const other = meaningsOf(second, never);
    expect(other.describeStatus("operator")).toBe(
      "0 of 6 sayings are found by meaning, too; 6 have vectors of other weights, which are not looked at",
    );
    other.stop();
    second.close();
    const third = openStore(folder, makeWorld("2".repeat(32)));
    const again = meaningsOf(third, {
      embed: async (texts) => (texts.length === 1 && texts[0] === "padlock" ? toyVectors(texts) : never.embed()),
    });
    expect((await found(again, "padlock")).hits).toEqual([[1, false, true]]);
    again.stop();
    third.close();
    const fourth = openStore(folder, makeWorld("3".repeat(32)));
    const anew = meaningsOf(fourth, { id: "toy:sha256-03" });
    await anew.waitUntilIdle();
    expect(anew.describeStatus("operator")).toBe("6 of 6 sayings are found by meaning, too");
    fourth.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a fork has the vectors of its copied sayings, and a forgotten conversation has no vectors", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-meaning-"));
  try {
    const store = openStore(folder, makeWorld());
    const meanings = meaningsOf(store);
    const conversation = begun(store);
    say(store, meanings, conversation, TALK);
    await meanings.waitUntilIdle();
    meanings.stop();
    const fork = expectValue(store.fork("operator", conversation, 2n));
    expect(meanings.describeStatus("operator")).toBe("8 of 8 sayings are found by meaning, too");
    expectValue(store.open("operator", fork));
    expectValue(store.forget("operator", conversation));
    expect(meanings.describeStatus("operator")).toBe("2 of 2 sayings are found by meaning, too");
    store.close();
    const file = new DatabaseSync(join(folder, "conversations.db"));
    expect(file.prepare("SELECT count(*) AS n FROM vectors").get()).toEqual({ n: 2 });
    file.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("recall finds earlier sayings of this conversation by meaning, and marks those that were found only by meaning", async () => {
  const store = inMemory();
  const meanings = meaningsOf(store);
  const other = begun(store);
  say(store, meanings, other, ["a padlock and its key"]);
  const conversation = begun(store);
  const filler = Array.from({ length: 20 }, (_, at) => `week ${at} was quiet`);
  say(store, meanings, conversation, ["the key of the shed hangs behind the door", ...filler, "my padlock"]);
  await meanings.waitUntilIdle();
  const wanted = { conversation, words: "padlock", before: 22n, mostBytes: 1 << 16 };
  const recalled = expectValue(await meanings.recall("operator", wanted));
  expect([recalled.sayings.map(({ sequence }) => sequence), recalled.byMeaning]).toEqual([[1n], [1n]]);
  const byWords = expectValue(await meanings.recall("operator", { ...wanted, words: "the shed" }));
  expect([byWords.sayings.map(({ sequence }) => sequence), byWords.byMeaning]).toEqual([[1n], []]);
  expectValue(store.setRecall("operator", false));
  expect(expectValue(await meanings.recall("operator", wanted))).toEqual({ sayings: [], isOff: true, byMeaning: [] });
});

test("if a session's space for vectors is full, later sayings are found only by their words", async () => {
  const store = inMemory();
  const meanings = meaningsOf(store, one(Array(4096).fill(1)));
  const conversation = begun(store);
  const texts = Array.from({ length: 32 }, (_, at) => makeSaying(`word${at}`));
  for (let round = 0; round < MAX_VECTOR_BYTES / 4096 / 32 + 1; round += 1) {
    const last = expectValue(store.append("operator", conversation, texts));
    meanings.noticeSayings("operator", conversation, last - 32n);
    await meanings.waitUntilIdle();
  }
  expect(meanings.describeStatus("operator")).toBe(
    "1024 of 1056 sayings are found by meaning, too; a session's room for vectors is full; /forget makes some",
  );
  expect((await found(meanings, "word3")).note).toMatch(
    /^32 sayings have no vector .* only their words were looked at$/,
  );
  // The limit of the session also covers the vectors of a fork.
  const fork = expectValue(store.fork("operator", conversation, 0n));
  expect(meanings.describeStatus("operator")).toMatch(/^1024 of 2112 /);
  expectValue(store.forget("operator", fork));
  // If the embedder has other weights, its vectors may use the session's whole limit: vectors of the earlier weights
  // are erased.
  const other = meaningsOf(store, { id: "toy:sha256-03" });
  await other.waitUntilIdle();
  expect(other.describeStatus("operator")).toBe("1056 of 1056 sayings are found by meaning, too");
});

test("opens a file without the table of vectors, both as the store's own file and as a copy to read", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-meaning-"));
  try {
    const first = openStore(folder, makeWorld());
    expectValue(first.append("operator", begun(first), [makeSaying("kept")]));
    first.close();
    const file = new DatabaseSync(join(folder, "conversations.db"));
    file.exec("DROP TABLE vectors");
    file.close();
    expect(openCopy(readFileSync(join(folder, "conversations.db"))).ok).toBe(true);
    const second = openStore(folder, makeWorld());
    expect([second.durable, second.moved]).toEqual([true, ""]);
    expect(expectValue(second.search("operator", { words: "kept", conversation: "", most: 5 }))).toHaveLength(1);
    expectValue(second.fork("operator", "a1", 0n));
    second.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("property: each saying has its own vector and no other, even if sayings, forks and forgetting happen in the meantime", async () => {
  const anyAct = fc.oneof(
    fc.record({ do: fc.constant("say" as const), text: fc.constantFrom(...TALK, "") }),
    fc.record({ do: fc.constantFrom("fork" as const, "forget" as const, "rest" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { maxLength: 25 }), async (acts) => {
      const store = inMemory();
      const meanings = meaningsOf(store);
      let conversation = begun(store);
      const kept = [conversation];
      for (const act of acts) {
        if (act.do === "say") say(store, meanings, conversation, [act.text]);
        if (act.do === "rest") await meanings.waitUntilIdle();
        if (act.do === "fork") {
          const forked = store.fork("operator", conversation, 0n);
          if (forked.ok) kept.push(forked.value);
          if (forked.ok) meanings.noticeSayings("operator", forked.value, 0n);
        }
        if (act.do === "forget") {
          const old = conversation;
          conversation = begun(store);
          kept.push(conversation);
          store.forget("operator", old);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      await meanings.waitUntilIdle();
      expect(expectValue(store.vectors.readCoverage("operator", 1n))).toMatchObject({ foreign: 0 });
      for (const words of TALK) {
        const near = expectValue(await nearestOf(store, words));
        for (const text of near) expect(toyVector(text)).toEqual(toyVector(words));
      }
      const { sayings, own } = expectValue(store.vectors.readCoverage("operator", 1n));
      expect(own).toBe(sayings);
    }),
    { numRuns: 60 },
  );
});

/** Returns the texts of sayings that have the same vector as the words. */
async function nearestOf(store: Store, words: string) {
  const vector = new Int8Array(expectValue(quantizeVector(toyVector(words))).buffer);
  const scope = { session: "operator", conversation: "", before: 0n };
  const near = await store.vectors.searchNearest(vector, 1n, scope, { most: 1000, by: -100 });
  const texts = expectValue(near).map((number) => expectValue(store.vectors.readText("operator", number)) ?? "");
  const exact = texts.filter((text) => String(toyVector(text)) === String(toyVector(words)));
  // The search returns the nearest texts first. So the texts with the same vector as `words` are at the beginning, and
  // all others are cut off.
  return { ok: true, value: texts.slice(0, exact.length) } as const;
}
