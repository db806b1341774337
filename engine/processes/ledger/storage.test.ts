import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { enableLog, openDatabase, openInMemory } from "./database.ts";
import { FILE_NAME, openLedger } from "./opening.ts";
import { FULL, SqliteStorage } from "./sqlite-storage.ts";
import { submitTask } from "./tasks.ts";
import { expectDecided, submission, TestWorld } from "./testing/world.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-ledger-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The fields of a submitted task that a submission does not have. */
const STARTED = {
  number: 1n,
  status: "open",
  reason: "",
  objective: "",
  created: 0n,
  changed: 0n,
  messages: 0n,
  isArchived: false,
} as const;

const path = () => join(folder, FILE_NAME);

test("the file has a write-ahead log, which is synced at every commit, and no file is locked or shared", () => {
  const opened = openDatabase(path());
  if (!opened.ok) throw new Error(opened.reason);
  const pragma = (name: string) => Object.values(opened.value.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect([pragma("journal_mode"), pragma("synchronous"), pragma("locking_mode")]).toEqual(["wal", 2, "exclusive"]);
  opened.value.close();
});

test("refuses a database for which SQLite uses no write-ahead log", () => {
  // A database in memory never has a write-ahead log.
  expect(enableLog(openInMemory())).toBe("SQLite uses the journal 'memory' instead of a write-ahead log");
});

test("refuses a file that is not a database, has other tables, or is a folder, and leaves it unchanged", () => {
  writeFileSync(path(), "this is not a database, but long enough to look like one".repeat(100));
  const text = readFileSync(path());
  expect(openDatabase(path())).toMatchObject({ ok: false });
  expect(readFileSync(path())).toEqual(text);
  rmSync(path());
  const foreign = new DatabaseSync(path());
  foreign.exec("CREATE TABLE other (a)");
  foreign.close();
  const before = openLedger(folder, new TestWorld());
  expect(before).toEqual({ ok: false, reason: "its tables are not those of this program" });
  expect(openDatabase(folder)).toEqual({ ok: false, reason: "it is not a regular file" });
});

test("a malformed row of the database stops the ledger for this run", () => {
  const database = openInMemory();
  const storage = new SqliteStorage(database);
  database.exec("INSERT INTO approval VALUES (1, 1, 0, '', 't', x'', x'', x'', x'', '[1]', 1, 0, 0, 0)");
  const read = storage.transact((rows) => rows.findApproval(1n));
  expect(read).toEqual({ ok: false, reason: "the ledger has stopped: askedOf is not a list of names" });
  expect([storage.isBroken, storage.transact((rows) => rows.readClock()).ok]).toEqual([true, false]);
});

test("a file system that became read-only stops the ledger for this run", () => {
  const database = openInMemory();
  const storage = new SqliteStorage(database);
  database.exec("PRAGMA query_only = ON");
  const stored = storage.transact((rows) => rows.putSchedule("nightly", 5n));
  expect(stored).toEqual({ ok: false, reason: "the ledger has stopped: attempt to write a readonly database" });
  expect([storage.isBroken, storage.transact((rows) => rows.readClock()).ok]).toEqual([true, false]);
});

test("counting the open tasks of a session reads no task that has ended", () => {
  const database = openInMemory();
  const storage = new SqliteStorage(database);
  const counted = storage.transact((rows) => {
    for (let number = 1n; number <= 4n; number++) {
      const id = rows.addTask({ ...submission(), ...STARTED, number });
      const task = rows.findTask(id);
      if (task !== undefined && number > 1n) rows.putTask({ ...task, status: "done" });
    }
    return rows.countOpenTasks(submission().session);
  });
  expect(counted).toEqual({ ok: true, value: 1 });
  const plan =
    "EXPLAIN QUERY PLAN SELECT count(*) FROM task INDEXED BY taskOpenOfSession WHERE session = ? AND status < 4";
  expect(
    database
      .prepare(plan)
      .all("operator")
      .map(({ detail }) => detail),
  ).toEqual([expect.stringMatching(/^SEARCH task USING (?:COVERING )?INDEX taskOpenOfSession \(session=\?\)$/)]);
});

test("a full file refuses the whole change, keeps its earlier content, and accepts changes again when there is room", async () => {
  const database = openInMemory();
  const storage = new SqliteStorage(database);
  const pages = Number(Object.values(database.prepare("PRAGMA page_count").get() ?? {})[0]);
  database.exec(`PRAGMA max_page_count = ${pages + 4}`);
  const big = { digest: new Uint8Array(32), bytes: new Uint8Array(100_000) };
  const stored = storage.transact((rows) => {
    rows.putSchedule("nightly", 5n);
    rows.addMessage(1n, 0n, big);
  });
  expect(stored).toEqual({ ok: false, reason: FULL });
  expect(storage.transact((rows) => rows.findSchedule("nightly"))).toEqual({ ok: true, value: undefined });
  database.exec(`PRAGMA max_page_count = ${pages + 400}`);
  expect(storage.transact((rows) => rows.addMessage(1n, 0n, big)).ok).toBe(true);
});

test("the removal of a task removes all of its database rows, but not message content that another task uses", () => {
  const database = openInMemory();
  const storage = new SqliteStorage(database);
  const [shared, own] = [1, 2].map((byte) => ({ digest: new Uint8Array(32).fill(byte), bytes: Uint8Array.of(byte) }));
  if (shared === undefined || own === undefined) throw new Error("no messages");
  storage.transact((rows) => {
    for (const message of [shared, shared, own].entries()) rows.addMessage(1n, BigInt(message[0]), message[1]);
    rows.addMessage(2n, 0n, shared);
    rows.removeTask({ ...submission(), ...STARTED, id: 1n });
  });
  const count = (table: string) => Object.values(database.prepare(`SELECT count(*) FROM ${table}`).get() ?? {})[0];
  expect([count("message"), count("content")]).toEqual([1, 1]);
  expect(storage.transact((rows) => rows.listMessages(2n, 0n, 100))).toEqual({ ok: true, value: [shared] });
  expect(database.prepare("SELECT uses FROM content").get()).toEqual({ uses: 1 });
});

test("a ledger that is opened again counts a new run, and its time does not run backwards", async () => {
  const world = new TestWorld();
  const first = openLedger(folder, world);
  if (!first.ok) throw new Error(first.reason);
  world.time += 5000;
  await expectDecided(first.value, world, submitTask(submission()));
  first.value.close();
  world.time -= 60_000; // somebody set the clock back
  const second = openLedger(folder, world);
  if (!second.ok) throw new Error(second.reason);
  expect([second.value.run, second.value.at]).toEqual([2n, BigInt(world.time + 60_000)]);
  second.value.close();
});

test("a cached task, step and event have their earlier values after a transaction that failed", () => {
  const storage = new SqliteStorage(openInMemory());
  const added = storage.transact((rows) => rows.addTask({ ...STARTED, ...submission() }));
  if (!added.ok) throw new Error(added.reason);
  const task = added.value;
  const step = { task, number: 1n, kind: "read", state: "started", what: "notes.read", run: 1n, started: 0n } as const;
  const event = { at: 0n, session: "operator", task, kind: "status", label: new Uint8Array(), body: "" } as const;
  const readAll = () =>
    storage.transact((rows) => [
      rows.findTask(task)?.status,
      rows.findLastStepNumber(task),
      rows.listUnsettledSteps(task).length,
      rows.listEvents("operator", 0n, 9).map(({ sequence }) => sequence),
    ]);
  storage.transact((rows) => rows.addEvent(event));
  expect(readAll()).toEqual({ ok: true, value: ["open", 0n, 0, [1n]] });
  expect(() =>
    storage.transact((rows) => {
      const found = rows.findTask(task);
      if (found !== undefined) rows.putTask({ ...found, status: "blocked" });
      rows.addStep({ ...step, call: new Uint8Array(32), result: new Uint8Array(), ended: 0n });
      rows.addEvent(event);
      throw new TypeError("a defect");
    }),
  ).toThrow("a defect");
  expect(readAll()).toEqual({ ok: true, value: ["open", 0n, 0, [1n]] });
  storage.transact((rows) => rows.addEvent(event));
  expect(readAll()).toEqual({ ok: true, value: ["open", 0n, 0, [1n, 2n]] });
});

test("a task that the cache has dropped is read from the file again", () => {
  const storage = new SqliteStorage(openInMemory());
  const ids = storage.transact((rows) =>
    Array.from({ length: 1100 }, (_, index) =>
      rows.addTask({ ...STARTED, ...submission(), number: BigInt(index + 1), session: `s${index}` }),
    ),
  );
  if (!ids.ok) throw new Error(ids.reason);
  const sessions = storage.transact((rows) => ids.value.map((id) => rows.findTask(id)?.session));
  const again = storage.transact((rows) => ids.value.map((id) => rows.findTask(id)?.session));
  expect(again).toEqual(sessions);
  expect(again.ok ? again.value[0] : "").toBe("s0");
});
