import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { MAX_SAYING_BYTES, MAX_SESSION_BYTES } from "./limits.ts";
import { openStore } from "./opening.ts";
import type { Store } from "./store.ts";
import { expectValue, makeSaying, makeWorld } from "./testing/saying.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-conversations-"));
afterAll(() => rmSync(folder, { recursive: true }));
const directory = () => mkdtempSync(join(folder, "d-"));
const inMemory = () => openStore(undefined, makeWorld());

/** Returns the name of an open conversation. */
function begun(store: Store, session = "operator"): string {
  const name = expectValue(store.begin(session));
  expectValue(store.open(session, name));
  return name;
}

const texts = (store: Store, name: string, session = "operator") =>
  expectValue(store.read(session, name, 0n, 1 << 20)).sayings.map(({ text }) => text);

test("returns sayings in order with all their parts after a restart", () => {
  const where = directory();
  const first = openStore(where, makeWorld());
  const name = begun(first);
  const call = { id: "1", name: "notes.read", arguments: '{"path":"a"}' };
  const sayings = [
    makeSaying("read a", { turn: 1 }),
    makeSaying("I look.", { turn: 1, role: "assistant", calls: [call] }),
    makeSaying("it says x", { turn: 1, role: "tool", callId: "1", source: "notes.read", outcome: "ok" }),
    makeSaying("no", { turn: 1, role: "tool", callId: "2", source: "notes.burn", outcome: "unknownTool" }),
  ];
  expect(first.append("operator", name, sayings)).toEqual({ ok: true, value: 4n });
  expect([first.durable, name]).toEqual([true, "a1"]);
  first.close();
  const second = openStore(where, makeWorld("1".repeat(32)));
  const kept = sayings.map((saying, index) => ({ ...saying, sequence: BigInt(index + 1), saidMs: 1000n }));
  expect(expectValue(second.read("operator", name, 0n, 1 << 20))).toEqual({ sayings: kept, last: 4n });
  // A search finds a call by the words of its arguments. The excerpt shows the call like an export of the conversation.
  expect(
    expectValue(second.search("operator", { words: "path", conversation: "", most: 5 })).map(({ excerpt }) => excerpt),
  ).toEqual(['I look. calls notes.read {"path":"a"}']);
  expect(expectValue(second.list("operator", 10)).conversations).toMatchObject([
    { conversation: "a1", title: "read a", sayings: 4n, changedMs: 1000n, parent: "" },
  ]);
  second.close();
});

test("a loop can add only to the conversation that its gate opened in this run", () => {
  const where = directory();
  const first = openStore(where, makeWorld());
  const [mine, other] = [begun(first), expectValue(first.begin("operator"))];
  const theirs = begun(first, "visitor");
  expect(first.append("operator", mine, [makeSaying("x")]).ok).toBe(true);
  for (const name of [other, theirs, "a9", ""]) {
    expect(first.append("operator", name, [makeSaying("x")])).toEqual({
      ok: false,
      reason: "another conversation is open",
    });
  }
  expectValue(first.open("operator", ""));
  expect(first.append("operator", mine, [makeSaying("x")])).toMatchObject({
    reason: expect.stringMatching(/^no conversation/),
  });
  expect(first.readRecentSayings("operator")).toMatchObject({ ok: false });
  expectValue(first.open("operator", mine));
  first.close();
  const nextRun = openStore(where, makeWorld("1".repeat(32)));
  expect(nextRun.readRecentSayings("operator")).toMatchObject({ ok: false });
  nextRun.close();
});

test("a session cannot open, read, list, find, copy or forget another session's conversation", () => {
  const store = inMemory();
  const name = begun(store);
  expectValue(store.append("operator", name, [makeSaying("a secret word")]));
  const no = { ok: false, reason: "this session has no such conversation" };
  expect(store.open("visitor", name)).toEqual(no);
  expect(store.read("visitor", name, 0n, 1000)).toEqual(no);
  expect(store.fork("visitor", name, 0n)).toEqual(no);
  expect(store.forget("visitor", name)).toEqual(no);
  expect(expectValue(store.list("visitor", 10))).toEqual({ conversations: [], total: 0 });
  expect(expectValue(store.search("visitor", { words: "secret", conversation: "", most: 10 }))).toEqual([]);
  expect(expectValue(store.search("visitor", { words: "secret", conversation: name, most: 10 }))).toEqual([]);
  expect(texts(store, name)).toEqual(["a secret word"]);
});

test("never reuses a name, even after a restart, and does not keep empty conversations", () => {
  const where = directory();
  const names: string[] = [];
  for (const run of ["0", "1", "2"]) {
    const store = openStore(where, makeWorld(run.repeat(32)));
    names.push(begun(store), expectValue(store.begin("visitor")));
    expect(expectValue(store.list("operator", 10)).total).toBe(0);
    store.close();
  }
  expect(new Set(names).size).toBe(6);
  const [mine = "", theirs = ""] = ["0", "1"].map((run) =>
    expectValue(openStore(undefined, makeWorld(run.repeat(32))).begin("s")),
  );
  expect([mine, theirs]).toEqual(["m00000000-1", "m11111111-1"]);
});

test("lists the newest conversation first, whatever the clock shows", () => {
  let now = 5000;
  const store = openStore(undefined, { now: () => now, bootId: "0".repeat(32) });
  const names = ["a", "b", "c"].map((text) => {
    const name = begun(store);
    now -= 3000;
    expectValue(store.append("operator", name, [makeSaying(text)]));
    return name;
  });
  const listed = expectValue(store.list("operator", 2));
  expect(listed.conversations.map(({ conversation }) => conversation)).toEqual(names.slice(1).reverse());
  expect([listed.total, listed.conversations[0]?.changedMs]).toEqual([3, 0n]);
});

test("a copy of a conversation names its origin, and an addition to the copy does not change the origin", () => {
  const store = inMemory();
  const name = begun(store);
  expectValue(
    store.append(
      "operator",
      name,
      ["one", "two", "three"].map((text) => makeSaying(text)),
    ),
  );
  const fork = expectValue(store.fork("operator", name, 2n));
  expectValue(store.open("operator", fork));
  expectValue(store.append("operator", fork, [makeSaying("other")]));
  expect(texts(store, name)).toEqual(["one", "two", "three"]);
  expect(texts(store, fork)).toEqual(["one", "two", "other"]);
  expect(expectValue(store.list("operator", 1)).conversations).toMatchObject([
    { conversation: fork, parent: name, title: "one" },
  ]);
  expect(
    expectValue(store.search("operator", { words: "two", conversation: "", most: 10 }))
      .map(({ conversation }) => conversation)
      .sort(),
  ).toEqual([name, fork]);
  expect(texts(store, expectValue(store.fork("operator", name, 0n)))).toEqual(["one", "two", "three"]);
});

test("a forgotten conversation cannot be found, read or counted, and an open conversation cannot be forgotten", () => {
  const store = inMemory();
  const name = begun(store);
  expectValue(
    store.append(
      "operator",
      name,
      Array.from({ length: 30 }, (_, index) => makeSaying(`word${index}`)),
    ),
  );
  expect(store.forget("operator", name)).toMatchObject({ ok: false });
  begun(store);
  expect(store.forget("operator", name)).toEqual({ ok: true, value: true });
  expect(store.read("operator", name, 0n, 1000)).toMatchObject({ ok: false });
  expect(expectValue(store.search("operator", { words: "word3", conversation: "", most: 10 }))).toEqual([]);
  expect(expectValue(store.readUsage("operator"))).toEqual({ bytes: 0n, conversations: 0 });
});

test("returns the newest sayings, beginning with a person's line, and the newest summary separately", () => {
  const store = inMemory();
  const name = begun(store);
  const long = "x".repeat(100_000);
  expectValue(store.append("operator", name, [makeSaying("first"), makeSaying(long, { role: "assistant" })]));
  expectValue(
    store.append("operator", name, [makeSaying("sum", { role: "assistant", source: "summary", through: 2n })]),
  );
  for (const word of ["second", "third", "fourth"]) {
    expectValue(store.append("operator", name, [makeSaying(word), makeSaying(long, { role: "assistant" })]));
  }
  const { sayings, summary, last, conversation } = expectValue(store.readRecentSayings("operator"));
  expect(sayings.map(({ text }) => text.slice(0, 6))).toEqual([
    "second",
    "xxxxxx",
    "third",
    "xxxxxx",
    "fourth",
    "xxxxxx",
  ]);
  expect([summary.text, summary.sequence, last, conversation]).toEqual(["sum", 3n, 9n, name]);
});

test.each([
  ["the role system", makeSaying("x", { role: "system" })],
  ["a summary of later sayings", makeSaying("x", { through: 2n })],
  ["a text that is too long", makeSaying("x".repeat(MAX_SAYING_BYTES))],
  ["a name that is too long", makeSaying("x", { source: "x".repeat(2000) })],
  [
    "too many calls",
    makeSaying("x", { calls: Array.from({ length: 9 }, () => ({ id: "", name: "", arguments: "" })) }),
  ],
])("refuses an append as a whole with %s", (_, wrong) => {
  const store = inMemory();
  const name = begun(store);
  expect(store.append("operator", name, [makeSaying("before"), wrong])).toMatchObject({ ok: false });
  expect(texts(store, name)).toEqual([]);
});

test("a session with full storage refuses sayings until a conversation is forgotten, while other sessions accept sayings", () => {
  const store = inMemory();
  const name = begun(store);
  const large = makeSaying("x".repeat(MAX_SAYING_BYTES - 1000));
  const fits = Math.floor(MAX_SESSION_BYTES / (MAX_SAYING_BYTES - 1000 + 256));
  for (let index = 0; index < fits; index += 1) expectValue(store.append("operator", name, [large]));
  expect(store.append("operator", name, [large])).toMatchObject({ reason: expect.stringMatching(/full; \/forget/) });
  expect(store.fork("operator", name, 0n)).toMatchObject({ ok: false });
  expect(store.append("visitor", begun(store, "visitor"), [large]).ok).toBe(true);
  const next = begun(store);
  expectValue(store.forget("operator", name));
  expect(store.append("operator", next, [large]).ok).toBe(true);
});

test("property: behaves like a simple model that stores lists of texts", () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant("say" as const), text: fc.string({ unit: "grapheme", maxLength: 20 }) }),
    fc.record({ kind: fc.constant("begin" as const) }),
    fc.record({ kind: fc.constant("open" as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant("fork" as const), at: fc.nat(5), through: fc.nat(4) }),
    fc.record({ kind: fc.constant("forget" as const), at: fc.nat(5) }),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const store = inMemory();
      const model = new Map<string, string[]>();
      let open = begun(store);
      model.set(open, []);
      const nameAt = (at: number) => [...model.keys()][at % model.size] ?? open;
      for (const one of changes) {
        if (one.kind === "say") {
          expectValue(store.append("operator", open, [makeSaying(one.text)]));
          model.get(open)?.push(one.text.toWellFormed());
        } else if (one.kind === "begin") {
          open = begun(store);
          for (const [name, kept] of model) if (kept.length === 0) model.delete(name);
          model.set(open, []);
        } else if (one.kind === "open") {
          open = nameAt(one.at);
          expectValue(store.open("operator", open));
        } else if (one.kind === "fork") {
          const from = nameAt(one.at);
          const all = model.get(from) ?? [];
          const forked = store.fork("operator", from, BigInt(one.through));
          expect(forked.ok).toBe(all.length > 0);
          if (!forked.ok) continue;
          for (const [name, kept] of model) if (kept.length === 0 && name !== open) model.delete(name);
          const fork = forked.value;
          model.set(fork, one.through === 0 ? [...all] : all.slice(0, one.through));
        } else if (nameAt(one.at) !== open) {
          const gone = nameAt(one.at);
          expectValue(store.forget("operator", gone));
          model.delete(gone);
        }
      }
      for (const [name, kept] of model) if (kept.length > 0) expect(texts(store, name)).toEqual(kept);
      const filled = [...model].filter(([, kept]) => kept.length > 0).map(([name]) => name);
      const listed = expectValue(store.list("operator", 100)).conversations.map(({ conversation }) => conversation);
      expect(listed.sort()).toEqual(filled.sort());
      store.close();
    }),
    { numRuns: 60 },
  );
});

test("finds a word at the start of a line in a tool's JSON", () => {
  const store = inMemory();
  expectValue(
    store.append("operator", begun(store), [makeSaying('{"content":"buy milk\\nwater the plants"}', { role: "tool" })]),
  );
  for (const word of ["milk", "water", "plants"])
    expect(expectValue(store.search("operator", { words: word, conversation: "", most: 5 })).length).toBe(1);
});

test("property: a search never throws, and finds a word of a stored saying", () => {
  const store = inMemory();
  const name = begun(store);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (asked) => {
      const done = store.search("operator", { words: asked, conversation: "", most: 5 });
      if (!done.ok) expect(done.reason).toBe("there is no word in it to look for");
    }),
    { numRuns: 300 },
  );
  for (const asked of [
    '"',
    "a OR b",
    "text:*",
    "NEAR(a b)",
    "^a",
    "a* -b",
    "a\0b",
    "'; DROP TABLE sayings; --",
    "{a}:b",
  ]) {
    expect(() => store.search("operator", { words: asked, conversation: "", most: 5 })).not.toThrow();
  }
  const kept = fc.stringMatching(/^[a-zäöü0-9]{1,12}$/);
  fc.assert(
    fc.property(kept, fc.string({ maxLength: 30 }), (word, around) => {
      expectValue(store.append("operator", name, [makeSaying(`${around} ${word} ${around}`)]));
      const hits = expectValue(store.search("operator", { words: word, conversation: name, most: 50 }));
      expect(hits.length).toBeGreaterThan(0);
      return true;
    }),
    { numRuns: 60 },
  );
});
