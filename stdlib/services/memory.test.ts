import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compilePolicy, renderFactsPage } from "../../compiler/dev/fixtures/facts.ts";
import { type Call, programOf } from "./called.ts";

const PAGE = renderFactsPage({ services: "service facts : Memory { state 1 MiB }" });

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "capos-memory-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

const memory = (where = directory) => programOf(PAGE, { directory: where });

interface Recalled {
  readonly entries: readonly { readonly id: string; readonly content: string }[];
  readonly said: string;
}

const recalled = async (call: Call, query: string, most = 10) => (await call("recall", { query, most })) as Recalled;
const idsFor = async (call: Call, query: string, most = 10) =>
  (await recalled(call, query, most)).entries.map(({ id }) => id);

test("a page that names no program gets the library's program", async () => {
  const [plan] = (await compilePolicy(PAGE)).services;
  expect(plan).toMatchObject({ name: "facts", implementation: "own", stateBytes: 1024 * 1024 });
  expect(Buffer.from(plan?.own?.bytes ?? [])).toEqual(readFileSync(new URL("memory.js", import.meta.url)));
});

test("`recall` finds entries by words: the best match first, and of equal matches the newest first", async () => {
  const call = await memory();
  expect(await call("recall", { query: "pager" })).toEqual({ entries: [], said: "nothing of it is remembered" });
  expect(await call("store", { topic: "Pager", content: "Bob holds it." })).toEqual({
    id: "m1",
    said: "Stored: Pager = Bob holds it.",
  });
  await call("store", { topic: "coffee", content: "The pager stands beside the machine." });
  await call("store", { topic: "tea", content: "The machine is broken." });
  await call("store", { topic: "tea", content: "The machine is mended." });
  expect(await idsFor(call, "PAGER?")).toEqual(["m1", "m2"]);
  expect(await idsFor(call, "machine")).toEqual(["m4", "m3", "m2"]);
  expect(await idsFor(call, "machine", 1)).toEqual(["m4"]);
  expect(await idsFor(call, "machine", 0)).toEqual([]);
  expect(await idsFor(call, "?!")).toEqual([]);
});

test("entries with exactly the requested topic come first, the newest before older entries", async () => {
  const call = await memory();
  await call("store", { topic: "capital_france", content: "Lyon" });
  await call("store", { topic: "capital_france", content: "Paris" });
  await call("store", { topic: "notes", content: "capital france capital france" });
  expect(await recalled(call, "capital_france")).toMatchObject({ said: "capital_france = Paris" });
  expect(await idsFor(call, "capital_france")).toEqual(["m2", "m1", "m3"]);
});

test("a forgotten entry is not found any more, and its id is not used again", async () => {
  const call = await memory();
  await call("store", { topic: "a", content: "b" });
  expect(await call("forget", { id: "m1" })).toEqual({});
  expect(await call("forget", { id: "m1" })).toMatch(/there is no entry m1/);
  expect(await idsFor(call, "b")).toEqual([]);
  expect(await call("store", { topic: "a", content: "b" })).toMatchObject({ id: "m2" });
});

test.each(["", "m", "m0", "m01", "1", "m1 OR 1=1", "m9999999999999999999", "M1"])(
  "refuses %j as the id of an entry",
  async (id) => {
    const call = await memory();
    await call("store", { topic: "a", content: "b" });
    expect(await call("forget", { id })).toMatch(/there is no entry/);
    expect(await idsFor(call, "b")).toEqual(["m1"]);
  },
);

test("stores all entries of simultaneous calls", async () => {
  const call = await memory();
  const ids = await Promise.all(Array.from({ length: 8 }, () => call("store", { topic: "t", content: "c" })));
  expect(new Set(ids.map((id) => JSON.stringify(id))).size).toBe(8);
});

test("a query in the search syntax of SQLite is read as plain words", async () => {
  const call = await memory();
  await call("store", { topic: "a", content: "near the end" });
  for (const query of [
    '"',
    "'; DROP TABLE entries; --",
    "topic:a",
    "end*",
    "NEAR(a end)",
    "a AND NOT end",
    "^end",
    "{a}:b",
  ]) {
    expect(Array.isArray((await recalled(call, query)).entries)).toBe(true);
  }
  expect(await idsFor(call, "nobody NOT end")).toEqual(["m1"]);
});

test("any stored text is found by its topic, and any query gives a list of entries", async () => {
  const call = await memory();
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 256 }).filter((text) => text.isWellFormed()),
      fc.string({ unit: "binary", maxLength: 64 }).filter((text) => text.isWellFormed() && !text.includes("\0")),
      async (content, topic) => {
        const { id } = (await call("store", { topic, content })) as { readonly id: string };
        expect((await recalled(call, topic, 1)).entries).toEqual([{ id, topic, content }]);
        expect(Array.isArray((await recalled(call, content)).entries)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test("an entry that is too long, or beyond the maximum number, is refused with the reason", async () => {
  const call = await memory();
  expect(await call("store", { topic: "t", content: "a".repeat(4097) })).toMatch(/at most 4096/);
  expect(await call("store", { topic: "t".repeat(257), content: "a" })).toMatch(/at most 256/);
  await call("store", { topic: "t", content: "one" });
  const file = new DatabaseSync(join(directory, "memory.db"));
  file.exec(`WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO entries (topic, content) SELECT 't', 'x' FROM n`);
  file.close();
  expect(await call("store", { topic: "t", content: "a" })).toMatch(/at most 10000 entries/);
  expect((await recalled(call, "t", 60_000)).entries).toHaveLength(20);
});

test("a file that is not a database of entries is reported and left unchanged", async () => {
  writeFileSync(join(directory, "memory.db"), "{".repeat(4096));
  const call = await memory();
  expect(await call("store", { topic: "t", content: "a" })).toMatch(/cannot be read/);
  expect(readFileSync(join(directory, "memory.db"), "utf8")).toBe("{".repeat(4096));
});

test("entries remain after a restart, and a copy of the file at any time is complete", async () => {
  const call = await memory();
  const copies = mkdtempSync(join(tmpdir(), "capos-memory-copy-"));
  try {
    for (let stored = 1; stored <= 5; stored += 1) {
      await call("store", { topic: "t", content: `number ${stored}` });
      const copy = join(copies, String(stored));
      cpSync(directory, copy, { recursive: true });
      expect(await idsFor(await memory(copy), "number")).toHaveLength(stored);
    }
  } finally {
    rmSync(copies, { recursive: true });
  }
});

test("a service without `state` stores entries only until its process ends", async () => {
  const call = await programOf(renderFactsPage({ services: "service facts : Memory {}" }));
  await call("store", { topic: "t", content: "here" });
  expect(await recalled(call, "here")).toMatchObject({ said: "t = here" });
});
