// Tests segments and their release: a log without an end in a partition of bounded size.

import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { AuditKeep } from "../../lib/wire/generated/policy.ts";
import { LAST_BLOCKS, readKeyBlock } from "./batches.ts";
import { BLOCK_BYTES } from "./block.ts";
import { createLogBytes, type Device } from "./device.ts";
import { encodeKey } from "./key-block.ts";
import { openStore } from "./opening.ts";
import { encodeReleaseBlock } from "./release-block.ts";
import { FULL, type Store, type StoredRecord } from "./store.ts";
import { FailingDisk } from "./testing/disk.ts";
import { createBoot, intentOf, outcomeOf, sessionOf } from "./testing/sample.ts";
import { type Verdict, type VerifiedRecord, verify } from "./verify.ts";

const DISK_BYTES = 5 * 1024 * 1024;
/** A text so long that ten records with it fill a segment of 1 MiB. */
const LARGE = "x".repeat(100_000);

let disk: FailingDisk;
beforeEach(() => {
  disk = new FailingDisk(DISK_BYTES);
});

interface Opening {
  readonly keep?: AuditKeep;
  readonly device?: Device;
  readonly onStored?: (stored: StoredRecord) => void;
  readonly onOlder?: (stored: StoredRecord) => void;
}

async function tryOpen(boot: number, { device = disk.plugged(), ...options }: Opening = {}) {
  return await openStore(device, createBoot(boot), options);
}

async function open(boot: number, opening: Opening = {}): Promise<Store> {
  const store = await tryOpen(boot, opening);
  if (!store.ok) throw new Error(store.reason);
  return store.value;
}

/** Appends records until one fails or `most` are appended; returns the sequence numbers of the records on the disk. */
async function fill(store: Store, most: number): Promise<bigint[]> {
  const kept: bigint[] = [];
  for (let count = 0; count < most; count += 1) {
    const receipt = await store.append("gate.operator", sessionOf(LARGE));
    if (!receipt.ok) break;
    kept.push(receipt.value.sequence);
  }
  return kept;
}

function read(bytes: Uint8Array = disk.bytes): { verdict: Verdict; found: VerifiedRecord[] } {
  const found: VerifiedRecord[] = [];
  return { verdict: verify(createLogBytes(bytes), (one) => found.push(one)), found };
}

/** Appends a record that states up to which sequence number the records are shipped, as the shipper does. */
async function ship(store: Store, shipped: bigint = store.newest.sequence): Promise<void> {
  expect(await store.append("audit", { which: "shipped", shipped })).toMatchObject({ ok: true });
}

const kindsOf = (found: readonly VerifiedRecord[]) => new Set(found.map(({ record }) => record.entry.which));

test("a log begins a segment with a checkpoint after a seal, and a start reads the newest two segments", async () => {
  const store = await open(1);
  await fill(store, 25);
  const { found } = read();
  const checkpoints = found.filter(({ record }) => record.entry.which === "checkpoint");
  expect(checkpoints).toHaveLength(2);
  for (const { record } of checkpoints) {
    const before = found[Number(record.sequence) - 2];
    expect(before?.record.entry.which).toBe("seal");
  }
  const [first] = checkpoints;
  let least = Number.POSITIVE_INFINITY;
  const device = disk.plugged();
  const chunks = (from: number, to: number) => {
    if (to - from > BLOCK_BYTES) least = Math.min(least, from);
    return device.chunks(from, to);
  };
  await open(2, { device: { ...device, chunks } });
  expect(least).toBe(Math.floor((first?.offset ?? 0) / BLOCK_BYTES) * BLOCK_BYTES);
  expect(read().verdict).toMatchObject({ fault: undefined, boots: 2, beyond: undefined });
});

test("a full log stays full and releases no records if nobody outside of the machine has acknowledged records", async () => {
  for (const keep of ["always", "untilShipped", "untilExported"] as const) {
    disk = new FailingDisk(DISK_BYTES);
    const store = await open(1, { keep });
    const kept = await fill(store, 200);
    expect(kept.length).toBeLessThan(60);
    expect([store.refusal, store.taken]).toEqual([FULL, 100]);
    expect(kindsOf(read().found)).not.toContain("released");
  }
});

test("the log releases no record if the page keeps records always, even if the collector has the records", async () => {
  const store = await open(1);
  await fill(store, 25);
  await ship(store);
  await fill(store, 200);
  expect(store.refusal).toBe(FULL);
  expect(read().verdict.beyond).toBeUndefined();
});

test("a log whose records are shipped accepts further records without end", async () => {
  const store = await open(1, { keep: "untilShipped" });
  await store.append("gate.visitor", sessionOf("early"));
  for (let round = 0; round < 30; round += 1) {
    expect(await fill(store, 5)).toHaveLength(5);
    await ship(store);
  }
  expect(store.refusal).toBeUndefined();
  const { verdict, found } = read();
  expect(verdict).toMatchObject({ fault: undefined, torn: 0 });
  const first = found[0]?.record;
  expect(first?.entry.which).toBe("checkpoint");
  expect(verdict.beyond?.sequence).toBe((first?.sequence ?? 0n) - 1n);
  const released = found.flatMap(({ record: { entry } }) => (entry.which === "released" ? [entry.released] : []));
  expect(released.at(-1)).toMatchObject({
    through: verdict.beyond?.sequence,
    hash: verdict.beyond?.hash,
    by: "shipped",
  });
  expect(verdict.length).toBeGreaterThan(2 * DISK_BYTES);
  // The writer `gate.visitor` may read two records only: the one that was appended above, and the boot record. Both
  // were released.
  expect(await store.readTail("gate.visitor", 10)).toEqual({ ok: true, value: [] });
});

test("a full log accepts calls again as soon as the collector has older records", async () => {
  const store = await open(1, { keep: "untilShipped" });
  await fill(store, 200);
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason: FULL });
  await ship(store);
  expect(await store.append("gate.operator", intentOf())).toMatchObject({ ok: true });
  expect(store.refusal).toBeUndefined();
});

test("released blocks contain no text of their records", async () => {
  const store = await open(1, { keep: "untilShipped" });
  await store.append("gate.operator", sessionOf("an old secret"));
  expect(disk.bytes.includes("an old secret")).toBe(true);
  await fill(store, 200);
  await ship(store);
  await fill(store, 1);
  expect(read().verdict.beyond).toBeDefined();
  expect(disk.bytes.includes("an old secret")).toBe(false);
});

test("an intent that is open during a release can be closed by its writer, or becomes an orphan of the next boot", async () => {
  const store = await open(1, { keep: "untilShipped" });
  const intents = [await store.append("gate.operator", intentOf()), await store.append("gate.visitor", intentOf())];
  const [own, other] = intents.map((receipt) => (receipt.ok ? receipt.value.sequence : 0n));
  for (let round = 0; round < 12; round += 1) {
    await fill(store, 5);
    await ship(store);
  }
  expect(read().verdict.beyond?.sequence).toBeGreaterThan(other ?? 0n);
  expect(await store.append("gate.operator", outcomeOf(other ?? 0n))).toMatchObject({ ok: false });
  expect(await store.append("gate.operator", outcomeOf(own ?? 0n))).toMatchObject({ ok: true });
  await open(2);
  expect(read().verdict.orphans).toEqual([other]);
});

test("after a person confirms an export, the next start releases the exported records, up to the end of a segment", async () => {
  const store = await open(1, { keep: "untilExported" });
  await fill(store, 200);
  const { segments } = read().verdict.chain;
  const [, , third] = segments;
  const place = disk.bytes.length - LAST_BLOCKS * BLOCK_BYTES;
  const through = (third?.sequence ?? 0n) - 1n;
  // A release block with a wrong hash or a wrong sequence releases nothing.
  const wrong = [
    { sequence: through, hash: Buffer.alloc(32, 1) },
    { sequence: through - 1n, hash: third?.previous ?? Buffer.alloc(32) },
  ];
  for (const exported of wrong) {
    disk.bytes.set(encodeReleaseBlock(exported), place);
    expect((await open(2, { keep: "untilExported" })).refusal).toBe(FULL);
    expect(read().verdict).toMatchObject({ fault: undefined, beyond: undefined });
  }
  disk.bytes.set(encodeReleaseBlock({ sequence: through, hash: third?.previous ?? Buffer.alloc(32) }), place);
  const next = await open(3, { keep: "untilExported" });
  await fill(next, 1);
  expect(read().verdict).toMatchObject({ fault: undefined, beyond: { sequence: through } });
  const by = read().found.flatMap(({ record: { entry } }) => (entry.which === "released" ? [entry.released.by] : []));
  expect(new Set(by)).toEqual(new Set(["exported"]));
});

test("a start gives the shipper the older records that the collector does not have", async () => {
  const store = await open(1, { keep: "untilShipped" });
  await fill(store, 4);
  await ship(store, 3n);
  await fill(store, 26);
  const older: bigint[] = [];
  const newer: bigint[] = [];
  await open(2, {
    onStored: ({ record }) => newer.push(record.sequence),
    onOlder: ({ record }) => older.push(record.sequence),
  });
  const all = [...older, ...newer];
  expect(all).toEqual(Array.from({ length: all.length }, (_, index) => BigInt(index) + 4n));
  expect(older.length).toBeGreaterThan(0);
  expect(newer.length).toBeGreaterThan(10);
});

test("a log without its beginning needs a record that says that the beginning was released", async () => {
  const store = await open(1);
  await fill(store, 35);
  const { chain } = read().verdict;
  const [, second, third] = chain.segments;
  const key = readKeyBlock(createLogBytes(disk.bytes));
  if (key === undefined || second === undefined || third === undefined) throw new Error("no segments");
  const place = disk.bytes.length - BLOCK_BYTES;
  const first = Number(second.place);
  disk.bytes.set(encodeKey(key, { first, wiped: first, recent: Math.max(first, key.bounds.recent) }), place);
  disk.bytes.fill(0, 0, first * BLOCK_BYTES);
  const reason = `the records up to ${second.sequence - 1n} are missing, and no record says that they were released`;
  expect(read().verdict.fault).toMatchObject({ reason });
  expect(await tryOpen(2)).toMatchObject({ ok: false, reason: expect.stringContaining("no record says") });
  // A block in the middle of a segment contains no checkpoint.
  disk.bytes.set(encodeKey(key, { first: first + 1, wiped: first + 1, recent: first + 1 }), place);
  expect(read().verdict.fault).toBeDefined();
});

/** Returns a disk whose power is cut just before its `operation`-th write or sync; `cut` resolves at the power cut. */
function unplugAt(operation: number, keeps: (block: number) => boolean) {
  const device = disk.plugged();
  const cut = Promise.withResolvers<void>();
  let count = 0;
  const operate = <T>(act: () => Promise<T>): Promise<T> => {
    count += 1;
    if (count === operation) {
      disk.cutPower(keeps);
      cut.resolve();
    }
    return act();
  };
  const write: Device["write"] = (bytes, position) => operate(() => device.write(bytes, position));
  return { device: { ...device, write, sync: () => operate(device.sync) }, cut: cut.promise };
}

test("property: whenever the power is cut, even during a release, each acknowledged record is in the log or was released", async () => {
  const releases = { interrupted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 420 }), fc.infiniteStream(fc.boolean()), async (operation, keeps) => {
      disk = new FailingDisk(DISK_BYTES);
      const { device, cut } = unplugAt(operation, () => keeps.next().value ?? false);
      let isCut = false;
      void cut.then(() => {
        isCut = true;
      });
      const kept: bigint[] = [];
      const opened = await Promise.race([tryOpen(1, { keep: "untilShipped", device }), cut]);
      for (let count = 1; opened?.ok === true && !isCut && count < 120; count += 1) {
        const store = opened.value;
        const shipped = { which: "shipped", shipped: store.newest.sequence } as const;
        const entry = count % 6 === 0 ? shipped : sessionOf(LARGE);
        const receipt = await Promise.race([store.append("gate.operator", entry), cut]);
        if (receipt?.ok === true) kept.push(receipt.value.sequence);
      }
      const { first, wiped } = readKeyBlock(createLogBytes(disk.bytes))?.bounds ?? { first: 0, wiped: 0 };
      if (wiped < first) releases.interrupted += 1;
      await open(2, { keep: "untilShipped" });
      const { verdict, found } = read();
      expect(verdict).toMatchObject({ fault: undefined, torn: 0 });
      expect(verdict.key?.bounds.wiped).toBe(verdict.key?.bounds.first);
      const there = new Set(found.map(({ record }) => record.sequence));
      const beyond = verdict.beyond?.sequence ?? 0n;
      expect(kept.filter((sequence) => sequence > beyond && !there.has(sequence))).toEqual([]);
    }),
    { numRuns: 30 },
  );
  expect(releases.interrupted).toBeGreaterThan(0);
}, 240_000);
