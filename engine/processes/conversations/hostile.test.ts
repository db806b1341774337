// Tests unusual text, files that other programs wrote, and full disks.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { duplexPair } from "node:stream";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { ConversationLog, ConversationStore } from "../../lib/wire/generated/conversations.ts";
import { connect } from "../../lib/wire/index.ts";
import { openFile, openMemory } from "./database.ts";
import { MAX_CONVERSATIONS, MAX_FILE_BYTES, MAX_SAYING_BYTES, MAX_SESSION_BYTES } from "./limits.ts";
import { openStore } from "./opening.ts";
import { serveConversations } from "./serve.ts";
import { FULL, Store } from "./store.ts";
import { expectValue, makeSaying, makeWorld } from "./testing/saying.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));
const directory = () => mkdtempSync(join(folder, "d-"));

function begun(store: Store): string {
  const name = expectValue(store.begin("operator"));
  expectValue(store.open("operator", name));
  return name;
}

test("property: returns any text unchanged, including every control character", () => {
  const store = openStore(undefined, makeWorld());
  const name = begun(store);
  const every = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code)).join("");
  let last = 0n;
  const comesBack = (text: string) => {
    expectValue(store.append("operator", name, [makeSaying(text)]));
    expect(expectValue(store.read("operator", name, last, 1 << 20)).sayings.at(0)?.text).toBe(text);
    last += 1n;
  };
  comesBack(every);
  comesBack("\u202e\u2066\u{e0041}\ufeff\ufffe\u{10ffff}");
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), comesBack), { numRuns: 100 });
});

test("refuses a tool result of 100 MB before it parses it, in the store and on the connection", async () => {
  const store = openStore(undefined, makeWorld());
  const name = begun(store);
  expect(store.append("operator", name, [makeSaying("x".repeat(100_000_000))])).toMatchObject({ ok: false });
  const [mine, stream] = duplexPair();
  serveConversations({ stream, holder: "loop.operator", interfaceId: ConversationLog.id }, store);
  const loop = connect(mine);
  const params = { conversation: name, sayings: [makeSaying("x".repeat(2_000_000))] };
  expect(await loop.call(ConversationLog.methods.append, params)).toMatchObject({ ok: false });
  expect(expectValue(store.read("operator", name, 0n, 1000)).last).toBe(0n);
});

test("limits the sayings that a loop stores, even empty sayings, and still serves the gate", () => {
  const store = openStore(undefined, makeWorld());
  const name = begun(store);
  const many = Array.from({ length: 32 }, () => makeSaying(""));
  let refused = "";
  let turns = 0;
  while (refused === "" && turns < 1_000_000) {
    const done = store.append("operator", name, many);
    refused = done.ok ? "" : done.reason;
    turns += 32;
  }
  expect(refused).toMatch(/^the 16 MiB of this session are full/);
  expect(turns).toBeLessThan(MAX_SESSION_BYTES / 256 + 64);
  expect(expectValue(store.list("operator", 10)).total).toBe(1);
  expect(expectValue(store.readRecentSayings("operator")).sayings.length).toBeLessThanOrEqual(512);
});

test("limits the number of conversations, and reuses empty conversations", () => {
  const database = openMemory();
  const store = new Store({ database, world: makeWorld(), reserve: undefined, reason: "", moved: "", prefix: "a" });
  for (let index = 0; index < 50; index += 1) expectValue(store.begin("operator"));
  expect(expectValue(store.readUsage("operator")).conversations).toBe(0);
  expect(MAX_CONVERSATIONS).toBeGreaterThan(1000);
  const first = begun(store);
  expectValue(store.append("operator", first, [makeSaying("x")]));
  // Insert the rows of conversations that were begun and have one saying.
  database.exec(`WITH RECURSIVE n (i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_CONVERSATIONS})
    INSERT INTO conversations SELECT 'b' || i, session, '', '', 1, 1, i, 0, 0 FROM n, conversations WHERE id = '${first}'`);
  const full = { ok: false, reason: `${MAX_CONVERSATIONS} conversations of this session are kept; /forget makes room` };
  expect([store.begin("operator"), store.fork("operator", first, 0n)]).toEqual([full, full]);
  expect(store.begin("visitor").ok).toBe(true);
  expectValue(store.forget("operator", "b2"));
  expect(store.begin("operator").ok).toBe(true);
});

test("serves only the holders and interfaces that init names", async () => {
  const store = openStore(undefined, makeWorld());
  const [log, gates] = [ConversationLog.id, ConversationStore.id];
  const served = (holder: string, interfaceId: bigint) => {
    const [, stream] = duplexPair();
    return serveConversations({ stream, holder, interfaceId }, store) !== undefined;
  };
  expect([served("loop.a", log), served("gate.a", gates)]).toEqual([true, true]);
  expect([
    served("loop.a", gates),
    served("gate.a", log),
    served("model.a", log),
    served("loop.", log),
    served("notes", gates),
  ]).toEqual([false, false, false, false, false]);
  const [mine, stream] = duplexPair();
  serveConversations({ stream, holder: "loop.operator", interfaceId: log }, store);
  const loop = connect(mine);
  expect(await loop.call(ConversationStore.methods.list, { most: 1 })).toMatchObject({ ok: false });
});

/** Ways to damage the file, each with its name. */
const SPOILS: Readonly<Record<string, (path: string) => void>> = {
  "it is not a database": (path) =>
    writeFileSync(path, "not a database at all, and longer than a header of SQLite is".repeat(20)),
  "its middle is zeros": (path) => {
    const bytes = readFileSync(path);
    bytes.fill(0, 4096, 8192);
    writeFileSync(path, bytes);
  },
  "its end is missing": (path) => truncateSync(path, 4096 * 3),
  "it has a foreign trigger": (path) => {
    const database = new DatabaseSync(path);
    database.exec("CREATE TRIGGER t AFTER INSERT ON sayings BEGIN DELETE FROM conversations; END");
    database.close();
  },
  "it has a foreign view": (path) => {
    const database = new DatabaseSync(path);
    database.exec("CREATE VIEW v AS SELECT 1");
    database.close();
  },
  "it is far too large": (path) => truncateSync(path, MAX_FILE_BYTES + 1),
  "it is a directory": (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  "it is a link": (path) => {
    rmSync(path);
    symlinkSync("/etc/passwd", path);
  },
};

test.each(Object.keys(SPOILS))("moves a corrupt file aside and does not overwrite it: %s", (what) => {
  const where = directory();
  const path = join(where, "conversations.db");
  const first = openStore(where, makeWorld());
  const name = begun(first);
  for (let index = 0; index < 40; index += 1)
    expectValue(first.append("operator", name, [makeSaying("x".repeat(1000))]));
  first.close();
  SPOILS[what]?.(path);
  const isReadable = !["it is a directory"].includes(what);
  const spoiled = isReadable ? readFileSync(path) : undefined;
  const second = openStore(where, makeWorld("1".repeat(32)));
  expect(second.moved).toMatch(/^conversations\.db was put aside as spoiled-1\.db: ./);
  expect([second.durable, expectValue(second.list("operator", 5)).total]).toEqual([true, 0]);
  if (isReadable) expect(Buffer.compare(readFileSync(join(where, "spoiled-1.db")), spoiled ?? Buffer.of())).toBe(0);
  expect(expectValue(second.begin("operator"))).toBe("b1");
  second.close();
});

test("does not move a fourth corrupt file aside, but serves from memory and reports the reason", () => {
  const where = directory();
  const path = join(where, "conversations.db");
  for (const run of ["1", "2", "3"]) {
    writeFileSync(path, "x".repeat(1000));
    openStore(where, makeWorld(run.repeat(32))).close();
  }
  writeFileSync(path, "the fourth ".repeat(100));
  const store = openStore(where, makeWorld());
  expect([store.durable, store.reason]).toEqual([false, expect.stringMatching(/3 spoiled files lie there already/)]);
  expect(readFileSync(path, "utf8").startsWith("the fourth")).toBe(true);
  expect(readdirSync(where).filter((name) => /^spoiled-\d\.db$/.test(name)).length).toBe(3);
});

test("shows or refuses invalid values that another program wrote into the file, and never throws", () => {
  const where = directory();
  const first = openStore(where, makeWorld());
  const name = begun(first);
  expectValue(first.append("operator", name, [makeSaying("one"), makeSaying("two"), makeSaying("three")]));
  first.close();
  const path = join(where, "conversations.db");
  const spoil = (sql: string) => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };
  const read = () => {
    const store = openStore(where, makeWorld());
    const done = store.read("operator", name, 0n, 1 << 20);
    store.search("operator", { words: "one", conversation: "", most: 5 });
    store.readRecentSayings("operator");
    store.close();
    return done;
  };
  spoil("UPDATE sayings SET text = CAST(x'61ff62' AS TEXT) WHERE sequence = 1");
  expect(expectValue(read()).sayings[0]?.text).toBe("a\ufffdb");
  for (const wrong of [
    "role = 'system2'",
    "turn = -1",
    "turn = 4294967296",
    "through = -5",
    "calls = '[1]'",
    "calls = '{'",
    "outcome = ''",
    `text = hex(zeroblob(${MAX_SAYING_BYTES}))`,
  ]) {
    spoil(`UPDATE sayings SET ${wrong} WHERE sequence = 2`);
    expect(read(), wrong).toMatchObject({ ok: false });
    spoil(
      "UPDATE sayings SET role = 'user', turn = 1, through = 0, calls = '', outcome = 'ok', text = 'two' WHERE sequence = 2",
    );
  }
  expect(read()).toMatchObject({ ok: true });
});

test("reports a file that becomes corrupt during use, and moves it aside at the next start", () => {
  const where = directory();
  const path = join(where, "conversations.db");
  const first = openStore(where, makeWorld());
  const name = begun(first);
  // These sayings take more than SQLite keeps in memory.
  for (let index = 0; index < 40; index += 1)
    expectValue(first.append("operator", name, [makeSaying("word ".repeat(40_000))]));
  first.close();
  const bytes = readFileSync(path);
  const second = openStore(where, makeWorld());
  bytes.fill(0xaa, 8192);
  writeFileSync(path, bytes);
  const outcomes = [
    second.search("operator", { words: "word", conversation: "", most: 5 }),
    second.read("operator", name, 0n, 1 << 20),
  ];
  expect(outcomes.some((done) => !done.ok && done.reason.startsWith("the file of conversations is spoiled"))).toBe(
    true,
  );
  second.close();
  expect(openStore(where, makeWorld("1".repeat(32))).moved).toMatch(/put aside/);
});

test("answers any request on a failing disk with the reason", () => {
  const where = directory();
  const path = join(where, "conversations.db");
  const opened = openFile(path);
  if (opened.kind !== "open") throw new Error(opened.reason);
  const { database } = opened;
  const store = new Store({ database, world: makeWorld(), reserve: undefined, reason: "", moved: "", prefix: "a" });
  const name = begun(store);
  expectValue(store.append("operator", name, [makeSaying("x")]));
  // Drop SQLite's cache, so that nothing of the file remains in memory.
  database.exec("PRAGMA cache_size = 0; PRAGMA shrink_memory");
  writeFileSync(path, readFileSync(path).fill(0xaa, 100));
  for (const [what, ask] of Object.entries({
    begin: () => store.begin("operator"),
    open: () => store.open("operator", name),
    append: () => store.append("operator", name, [makeSaying("y")]),
    recent: () => store.readRecentSayings("operator"),
    list: () => store.list("operator", 5),
    read: () => store.read("operator", name, 0n, 100),
    fork: () => store.fork("operator", name, 0n),
    search: () => store.search("operator", { words: "x", conversation: "", most: 5 }),
    forget: () => store.forget("operator", name),
    usage: () => store.readUsage("operator"),
  })) {
    expect([what, ask()]).toEqual([what, { ok: false, reason: expect.stringMatching(/spoiled|the disk failed/) }]);
  }
});

test("a full file refuses additions with the reason and keeps its content, and forgetting makes room", () => {
  const database = openMemory();
  const store = new Store({ database, world: makeWorld(), reserve: undefined, reason: "", moved: "", prefix: "a" });
  const name = begun(store);
  const other = expectValue(store.begin("operator"));
  expectValue(store.append("operator", name, [makeSaying("kept")]));
  const pages = Number(Object.values(database.prepare("PRAGMA page_count").get() ?? {})[0]);
  database.exec(`PRAGMA max_page_count = ${pages + 20}`);
  let full = "";
  while (full === "") {
    const done = store.append("operator", name, [makeSaying("x".repeat(20_000))]);
    if (!done.ok) full = done.reason;
  }
  expect(full).toBe(FULL);
  expect(expectValue(store.read("operator", name, 0n, 100)).sayings[0]?.text).toBe("kept");
  expectValue(store.open("operator", other));
  expect(store.begin("operator").ok).toBe(true);
  expect(store.forget("operator", name)).toEqual({ ok: true, value: true });
  expect(store.append("operator", other, [makeSaying("x".repeat(20_000))]).ok).toBe(true);
});

test("the table of vectors is added to an old file only if there is room, and conversations of a full old file can be forgotten", () => {
  const database = openMemory();
  const parts = { world: makeWorld(), reserve: undefined, reason: "", moved: "", prefix: "a" };
  const before = new Store({ database, ...parts });
  const [name, other] = [begun(before), expectValue(before.begin("operator"))];
  expectValue(before.append("operator", name, [makeSaying("kept")]));
  expectValue(before.open("operator", other));
  database.exec("DROP TABLE vectors");
  // The disk accepts no new page of the file.
  const exec = database.exec.bind(database);
  let refused = 0;
  database.exec = (sql) => {
    if (!sql.startsWith("CREATE TABLE vectors")) return exec(sql);
    refused += 1;
    throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
  };
  const store = new Store({ database, ...parts });
  expect(refused).toBeGreaterThan(0);
  expect(expectValue(store.read("operator", name, 0n, 100)).sayings[0]?.text).toBe("kept");
  const model = expectValue(store.vectors.numberOf("weights"));
  expect(expectValue(store.vectors.readCoverage("operator", model))).toEqual({ sayings: 1, own: 0, foreign: 0 });
  const missing = () => expectValue(store.vectors.listMissing("operator", model, { conversation: "", after: 0n }, 9));
  expect(missing().length).toBe(1);
  expect(store.forget("operator", name)).toEqual({ ok: true, value: true });
  expect(missing()).toEqual([]);
  const tables = () => database.prepare("SELECT name FROM main.sqlite_schema WHERE name = 'vectors'").all().length;
  expect(tables()).toBe(0);
  database.exec = exec;
  exec("DROP TABLE temp.vectors");
  expect(new Store({ database, ...parts }).begin("operator").ok).toBe(true);
  expect(tables()).toBe(1);
});

test("forgetting erases the text from the file, and frees its space on the disk", () => {
  const where = directory();
  const path = join(where, "conversations.db");
  const store = openStore(where, makeWorld());
  const name = begun(store);
  expectValue(store.append("operator", name, [makeSaying("unforgettable ".repeat(5000)), makeSaying("unforgettable")]));
  const before = readFileSync(path);
  begun(store);
  expectValue(store.forget("operator", name));
  const after = readFileSync(path);
  expect([before.includes("unforgettable"), after.includes("unforgettable")]).toEqual([true, false]);
  expect(after.length).toBeLessThan(before.length / 2);
  store.close();
});

test("treats a missing directory as a machine without a disk, and otherwise creates a reserve file beside the database", () => {
  const where = directory();
  openStore(where, makeWorld()).close();
  expect(existsSync(join(where, "reserve"))).toBe(true);
  const store = openStore(join(where, "missing"), makeWorld());
  expect([store.durable, store.reason]).toEqual([false, "there is no data disk"]);
});
