// The ledger dies at any point, again and again, and each run continues from what the last one left on the disk. No acknowledged task is
// lost, no effect happens twice, and nobody is asked twice.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Result } from "../../lib/result/result.ts";
import { expireDue } from "./approvals.ts";
import { openDatabase } from "./database.ts";
import type { Decision } from "./deciding.ts";
import { Ledger } from "./ledger.ts";
import { FILE_NAME } from "./opening.ts";
import { SqliteStorage } from "./sqlite-storage.ts";
import type { Rows, Storage } from "./storage.ts";
import { changeStatus, submitTask } from "./tasks.ts";
import { advance, type Decide, makeMachineLog, recover } from "./testing/driver.ts";
import { submission, TestWorld } from "./testing/world.ts";

const LOG_NAME = `${FILE_NAME}-wal`;
const SECTOR = 512;
const PAGE = 4096;
/** Bytes of the header of a write-ahead log, and of the header of each frame in it (SQLite's file format). */
const [LOG_HEADER, FRAME_HEADER] = [32, 24];

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-crash-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Error that ends the run at a planned point. */
class Crash extends Error {}

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32); the same seed gives the same numbers. */
function makeChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface Files {
  readonly file: Buffer;
  readonly log: Buffer;
}

function readFiles(directory: string): Files {
  const read = (name: string) => {
    const path = join(directory, name);
    return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  };
  return { file: read(FILE_NAME), log: read(LOG_NAME) };
}

/** Calls `visit` before each access to rows. */
function observe(rows: Rows, visit: () => void): Rows {
  return new Proxy(rows, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...words: unknown[]) => {
        visit();
        return Reflect.apply(method, target, words);
      };
    },
  });
}

interface Opened {
  readonly ledger: Ledger;
  readonly world: TestWorld;
  readonly database: DatabaseSync;
}

function openFile(directory: string): DatabaseSync {
  const database = openDatabase(join(directory, FILE_NAME));
  if (!database.ok) throw new Error(database.reason);
  return database.value;
}

/** Begins a ledger whose storage calls `visit` at each access to rows, and after each commit before it is acknowledged. */
function begin(database: DatabaseSync, world: TestWorld, visit: () => void): Opened {
  const storage = new SqliteStorage(database);
  const observed: Storage = {
    transact: (run) => {
      const done = storage.transact((rows) => run(observe(rows, visit)));
      visit();
      return done;
    },
    isBroken: false,
    close: () => storage.close(),
  };
  const ledger = Ledger.begin(observed, world);
  if (!ledger.ok) throw new Error(ledger.reason);
  return { ledger: ledger.value, world, database };
}

function open(directory: string, world: TestWorld): Opened {
  return begin(openFile(directory), world, () => {});
}

/** Returns a function that carries out one decision in a transaction of its own, and throws if it is refused. */
function decideOn({ ledger, world }: Opened): Decide {
  return <T>(decision: Decision<T>): T => {
    let decided: Result<T> | undefined;
    // `decided` is set inside of the transaction. It counts only if the commit, in `world.turn()`, does not throw.
    void ledger.decide((deciding) => {
      decided = decision(deciding);
      return decided;
    });
    world.turn();
    if (decided?.ok !== true) throw new Error(`refused: ${decided?.reason}`);
    return decided.value;
  };
}

/** Moves the content of the write-ahead log into the database file. */
function checkpoint({ database }: Opened): void {
  database.exec("PRAGMA wal_checkpoint(FULL)");
}

/**
 * One life of the machine: recovers, then submits tasks and advances them, until a crash. Adds the statuses of the advanced tasks to
 * `met`.
 */
function live(opened: Opened, world: TestWorld, parts: Parts): void {
  const { log, chance, acknowledged, ended, met } = parts;
  const decide = decideOn(opened);
  recover(decide, log);
  for (let turn = 0; turn < 200; turn += 1) {
    world.time += 1000;
    decide(expireDue());
    if (acknowledged.size - ended.size < 6) {
      const deadline = BigInt(world.time + (chance() < 0.15 ? 40_000 : 10_000_000));
      const { id } = decide(submitTask(submission({ deadline })));
      acknowledged.add(id);
    }
    const running = [...acknowledged].filter((id) => !ended.has(id));
    const id = running[Math.floor(chance() * running.length)] ?? 0n;
    const event = chance();
    const status = decide(({ rows }) => ({ ok: true as const, value: rows.findTask(id)?.status ?? "lost" }));
    met.add(status);
    if (["done", "failed", "cancelled", "expired"].includes(status)) {
      ended.add(id);
      continue;
    }
    if (event < 0.02) decide(changeStatus(id, "cancel", "by alice"));
    else if (event < 0.04) decide(changeStatus(id, "fail", "no budget"));
    else if (event < 0.06 && status !== "blocked") decide(changeStatus(id, "block", "logout"));
    else advance(decide, log, id, chance);
  }
}

interface Parts {
  readonly log: ReturnType<typeof makeMachineLog>;
  readonly chance: () => number;
  readonly acknowledged: Set<bigint>;
  readonly ended: Set<bigint>;
  readonly met: Set<string>;
}

/** Asserts that no task whose submission was acknowledged is lost, and that no change took effect twice. */
function judge(directory: string, { log, acknowledged }: Parts): void {
  const storage = new SqliteStorage(openFile(directory));
  const lost = storage.transact((rows) => [...acknowledged].filter((id) => rows.findTask(id) === undefined));
  expect(lost).toEqual({ ok: true, value: [] });
  expect([...log.effects].filter(([, count]) => count > 1)).toEqual([]);
  storage.close();
}

test("property: 1,000 deaths of the process at any point lose no task, repeat no effect, and ask nobody twice", () => {
  const chance = makeChance(29);
  const world = new TestWorld();
  const parts: Parts = { log: makeMachineLog(), chance, acknowledged: new Set(), ended: new Set(), met: new Set() };
  let directory = join(folder, "0");
  mkdirSync(directory);
  for (let death = 1; death <= 1000; death += 1) {
    let visits = 0;
    const fatal = Math.floor(chance() ** 2 * 400);
    const next = join(folder, String(death));
    const database = openFile(directory);
    // What a killed process has written stays, whether it was synced or not.
    database.exec("PRAGMA synchronous = OFF");
    try {
      live(
        begin(database, world, () => {
          visits += 1;
          if (visits <= fatal) return;
          // What a killed process leaves: everything that it wrote to its files, and nothing of its memory.
          mkdirSync(next, { recursive: true });
          for (const name of [FILE_NAME, LOG_NAME]) copyFileSync(join(directory, name), join(next, name));
          throw new Crash();
        }),
        world,
        parts,
      );
      throw new Error("the run ended without a crash");
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    database.close();
    rmSync(directory, { recursive: true });
    directory = next;
    if (death % 20 === 0) judge(copyOf(directory), parts);
  }
  expect(parts.met.size).toBe(8);
  expect([parts.acknowledged.size > 200, parts.log.effects.size > 200]).toEqual([true, true]);
  expect([...parts.log.asked].filter(([, count]) => count > 1)).toEqual([]);
});

function copyOf(directory: string): string {
  const copy = `${directory}-copy`;
  mkdirSync(copy);
  for (const name of [FILE_NAME, LOG_NAME]) copyFileSync(join(directory, name), join(copy, name));
  return copy;
}

/** Returns `after` as a power cut leaves it: each sector that changed has reached the disk, or has not. */
function tear(before: Buffer, after: Buffer, chance: () => number): Buffer {
  const torn = Buffer.alloc(Math.max(before.length, Math.floor(chance() * (after.length + 1))));
  before.copy(torn);
  for (let from = 0; from < torn.length; from += SECTOR)
    if (chance() < 0.5) after.copy(torn, from, from, Math.min(from + SECTOR, after.length));
  return torn;
}

/** Returns all tasks, steps and approvals of the files, or the reason why they cannot be opened. */
function contentOf({ file, log }: Files, directory: string): unknown {
  mkdirSync(directory);
  writeFileSync(join(directory, FILE_NAME), file);
  writeFileSync(join(directory, LOG_NAME), log);
  const database = openDatabase(join(directory, FILE_NAME));
  if (!database.ok) return database.reason;
  const rows = ["task", "step", "approval", "answer", "event", "clock", "message"].map((table) =>
    database.value.prepare(`SELECT * FROM ${table}`).all(),
  );
  database.value.close();
  rmSync(directory, { recursive: true });
  return rows;
}

test("a power cut during a commit leaves the whole change or none of it", () => {
  const chance = makeChance(30);
  const world = new TestWorld();
  const directory = join(folder, "live");
  mkdirSync(directory);
  const opened = open(directory, world);
  const decide = decideOn(opened);
  const log = makeMachineLog();
  decide(submitTask(submission()));
  let [cuts, half] = [0, 0];
  for (let change = 0; change < 20; change += 1) {
    const before = readFiles(directory);
    const earlier = contentOf(before, join(folder, "before"));
    world.time += 1000;
    const { id } = decide(submitTask(submission({ request: "x".repeat(Math.floor(chance() * 9000)) })));
    const after = readFiles(directory);
    const later = contentOf(after, join(folder, "after"));
    for (let cut = 0; cut < 5; cut += 1) {
      const torn = { file: before.file, log: tear(before.log, after.log, chance) };
      const found = contentOf(torn, join(folder, "torn"));
      cuts += 1;
      if (torn.log.equals(after.log)) {
        expect(found).toEqual(later);
        continue;
      }
      half += 1;
      expect([earlier, later]).toContainEqual(found);
    }
    advance(decide, log, id, chance);
  }
  opened.database.close();
  expect([cuts, half > 60]).toEqual([100, true]);
});

test("a power cut while SQLite moves the write-ahead log into the database file loses nothing", () => {
  const chance = makeChance(31);
  const world = new TestWorld();
  const directory = join(folder, "live");
  mkdirSync(directory);
  const opened = open(directory, world);
  const decide = decideOn(opened);
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < 40; count += 1) {
      world.time += 1000;
      decide(submitTask(submission({ request: "x".repeat(Math.floor(chance() * 4000)) })));
    }
    const before = readFiles(directory);
    const content = contentOf(before, join(folder, "before"));
    checkpoint(opened);
    const after = readFiles(directory);
    expect(after.file.length).toBeGreaterThan(before.file.length);
    for (let cut = 0; cut < 5; cut += 1) {
      const torn = { file: tear(before.file, after.file, chance), log: before.log };
      // A torn file may end within a page; the log still has the content of every changed page.
      expect(contentOf(torn, join(folder, "torn"))).toEqual(content);
    }
  }
  opened.database.close();
});

test("if the disk corrupts a frame of the write-ahead log, neither this frame nor any later frame is used", () => {
  const world = new TestWorld();
  const directory = join(folder, "live");
  mkdirSync(directory);
  const opened = open(directory, world);
  const decide = decideOn(opened);
  decide(submitTask(submission()));
  const earlier = readFiles(directory);
  const first = contentOf(earlier, join(folder, "first"));
  decide(submitTask(submission()));
  const { file, log } = readFiles(directory);
  opened.database.close();
  expect((log.length - LOG_HEADER) % (PAGE + FRAME_HEADER)).toBe(0);
  const changed = Buffer.from(log);
  changed[earlier.log.length + FRAME_HEADER + 100] = (changed[earlier.log.length + FRAME_HEADER + 100] ?? 0) ^ 1;
  expect(contentOf({ file, log: changed }, join(folder, "changed"))).toEqual(first);
});
