import { beforeEach, expect, test } from "vitest";
import { Cursors } from "./cursors.ts";
import { openInMemory } from "./database.ts";
import { Ledger, type Reader } from "./ledger.ts";
import { MOST_AT_ONCE } from "./limits.ts";
import { SqliteStorage } from "./sqlite-storage.ts";
import type { Storage } from "./storage.ts";
import { changeStatus, describeTask, submitTask } from "./tasks.ts";
import { BEGIN, expectDecided, submission, TestWorld } from "./testing/world.ts";

let world = new TestWorld();
let ledger = begin(new SqliteStorage(openInMemory()));

function begin(storage: Storage): Ledger {
  const begun = Ledger.begin(storage, world);
  if (!begun.ok) throw new Error(begun.reason);
  return begun.value;
}

beforeEach(() => {
  world = new TestWorld();
  ledger = begin(new SqliteStorage(openInMemory()));
});

const reader = (differences: Partial<Reader> = {}): Reader => ({
  session: "operator",
  name: "operator, all labels",
  mayRead: () => true,
  ...differences,
});

function read(who: Reader, cursor: Uint8Array = new Uint8Array()) {
  const page = ledger.readEvents(who, cursor);
  if (!page.ok) throw new Error(page.reason);
  return page.value;
}

/** Counts the transactions of a storage. */
function counted(storage: SqliteStorage) {
  let count = 0;
  const transact: Storage["transact"] = (run) => {
    count += 1;
    return storage.transact(run);
  };
  return { count: () => count, storage: { transact, isBroken: false, close: () => storage.close() } };
}

test("changes requested in one turn of the event loop share a commit, and none is acknowledged before the commit", async () => {
  const { count, storage } = counted(new SqliteStorage(openInMemory()));
  ledger = begin(storage);
  const acknowledged: bigint[] = [];
  const deciding = Array.from({ length: 10 }, async () => {
    const done = await ledger.decide(submitTask(submission()));
    if (done.ok) acknowledged.push(done.value.number);
  });
  await Promise.resolve();
  expect([acknowledged, count()]).toEqual([[], 1]);
  world.turn();
  await Promise.all(deciding);
  expect([acknowledged.length, count()]).toEqual([10, 2]);
});

test("a long queue of changes is committed in parts", async () => {
  const { count, storage } = counted(new SqliteStorage(openInMemory()));
  ledger = begin(storage);
  const deciding = Array.from({ length: MOST_AT_ONCE + 1 }, () => ledger.decide(submitTask(submission())));
  world.turn();
  expect(count()).toBe(2);
  world.turn();
  expect((await Promise.all(deciding)).every(({ ok }) => ok)).toBe(true);
});

test("if a commit fails, every change in it is refused with the reason", async () => {
  const storage: Storage = {
    transact: (run) => (failing ? { ok: false, reason: "the disk is full" } : inner.transact(run)),
    isBroken: false,
    close: () => inner.close(),
  };
  const inner = new SqliteStorage(openInMemory());
  let failing = false;
  ledger = begin(storage);
  failing = true;
  const deciding = [ledger.decide(submitTask(submission())), ledger.decide(submitTask(submission()))];
  world.turn();
  const reason = "the disk is full";
  expect(await Promise.all(deciding)).toEqual([
    { ok: false, reason },
    { ok: false, reason },
  ]);
});

test("a reader that continues from its cursor gets every event once", async () => {
  const seen: string[] = [];
  let cursor = new Uint8Array();
  for (let round = 0; round < 5; round += 1) {
    const { id } = await expectDecided(ledger, world, submitTask(submission({ request: `task ${round}` })));
    if (round % 2 === 0) await expectDecided(ledger, world, changeStatus(id, "cancel", "no"));
    const page = read(reader(), cursor);
    seen.push(...page.events.map(({ task, kind, body }) => `${task} ${kind} ${body}`));
    cursor = new Uint8Array(page.cursor);
    expect(page.hasMore).toBe(false);
  }
  const all = read(reader()).events.map(({ task, kind, body }) => `${task} ${kind} ${body}`);
  expect(seen).toEqual(all);
  expect(all.slice(0, 2)).toEqual(["1 submitted mend by alice", "1 status cancelled: no"]);
});

test("a reader sees only events of its session, and of these only events whose label it is cleared for", async () => {
  await expectDecided(ledger, world, submitTask(submission({ session: "visitor" })));
  const { id } = await expectDecided(ledger, world, submitTask(submission()));
  const label = Buffer.from("secret");
  await expectDecided(ledger, world, describeTask(id, { objective: "", label }));
  await expectDecided(ledger, world, changeStatus(id, "cancel", "no"));
  const low = reader({ name: "low", mayRead: (one) => Buffer.compare(one, label) !== 0 });
  expect(read(low).events.map(({ kind }) => kind)).toEqual(["submitted"]);
  expect(read(reader()).events.map(({ kind }) => kind)).toEqual(["submitted", "status"]);
  expect(read(low, read(low).cursor)).toMatchObject({ events: [], hasMore: false });
});

test("a cursor does not reveal the sequence number of its event, and is valid for one reader only", async () => {
  await expectDecided(ledger, world, submitTask(submission()));
  const { cursor } = read(reader());
  expect(cursor).toHaveLength(16);
  expect(Buffer.from(cursor).includes(Buffer.from([0, 0, 0, 0]))).toBe(false);
  expect(ledger.readEvents(reader({ name: "another" }), cursor)).toEqual({
    ok: false,
    reason: "this is not a cursor of this reader",
  });
  for (const forged of [new Uint8Array(16), new Uint8Array(15), new Uint8Array(4096)])
    expect(ledger.readEvents(reader(), forged).ok).toBe(false);
  const cursors = new Cursors(new Uint8Array(32), "a");
  for (const sequence of [0n, 1n, 2n ** 63n]) expect(cursors.read(cursors.make(sequence))).toBe(sequence);
});

test("a page of events fits in one frame, and the next page continues after it", async () => {
  const label = new Uint8Array(2000);
  for (let count = 0; count < 300; count += 1) await expectDecided(ledger, world, submitTask(submission({ label })));
  const [first, second] = [read(reader()), read(reader(), read(reader()).cursor)];
  expect([first.hasMore, second.hasMore, first.events.length + second.events.length]).toEqual([true, false, 300]);
});

test("a watcher of the ledger is called after each commit, until it stops watching", async () => {
  let calls = 0;
  const stop = ledger.watch(() => {
    calls += 1;
  });
  await expectDecided(ledger, world, submitTask(submission()));
  stop();
  await expectDecided(ledger, world, submitTask(submission()));
  expect(calls).toBe(1);
});

test("if the clock is set back by a day, the ledger's time stands still instead of running backwards", async () => {
  world.time = BEGIN + 5000;
  await expectDecided(ledger, world, submitTask(submission()));
  world.time = BEGIN - 86_400_000;
  await expectDecided(ledger, world, submitTask(submission()));
  expect(read(reader()).events.map(({ at }) => at)).toEqual([BigInt(BEGIN + 5000), BigInt(BEGIN + 5000)]);
});
