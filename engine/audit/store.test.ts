import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "./opening.ts";
import type { Boot, Receipt, Store } from "./store.ts";
import { FailingDisk, systemError } from "./testing/disk.ts";
import {
  bootIdOf,
  bytesOf,
  inChunks,
  intentOf,
  outcomeOf,
  POLICY_DIGEST,
  sessionOf,
  smallLog,
} from "./testing/sample.ts";
import { type Found, verify } from "./verify.ts";

let folder = "";
let path = "";
const stores: Store[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-audit-"));
  path = join(folder, "audit.log");
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function bootOf(number: number): Boot {
  return {
    systemId: "first-agent",
    version: "1.0.0",
    bootId: bootIdOf(number),
    policyDigest: POLICY_DIGEST,
    writer: "audit",
    time: () => ({ monotonicMs: 5n, wallMs: 6n, wallSource: "rtc" }),
  };
}

async function opened(boot = 1, disk = new FailingDisk()): Promise<Store> {
  const store = await openStore(path, bootOf(boot), (file) => disk.on(file));
  if (!store.ok) throw new Error(store.reason);
  stores.push(store.value);
  return store.value;
}

/** The receipt of an append that must succeed. */
async function appended(store: Store, ...[writer, entry]: Parameters<Store["append"]>): Promise<Receipt> {
  const receipt = await store.append(writer, entry);
  if (!receipt.ok) throw new Error(receipt.reason);
  return receipt.value;
}

/** The records of the file, which must be in order to its end. */
function recorded(): Found[] {
  const found: Found[] = [];
  const { fault, torn } = verify(inChunks(readFileSync(path)), (one) => found.push(one));
  expect({ fault, torn }).toEqual({ fault: undefined, torn: 0 });
  return found;
}

const kinds = (): string[] => recorded().map(({ record }) => `${record.writer} ${record.entry.which}`);

test("a new log begins with its boot record, and only its owner may read it", async () => {
  await opened();
  expect(kinds()).toEqual(["audit boot"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("an append is told its sequence and its hash, which are those of the file", async () => {
  const store = await opened();
  const receipt = await appended(store, "gate.operator", intentOf());
  expect(receipt.sequence).toBe(2n);
  expect(receipt.hash).toEqual(recorded().at(-1)?.hash);
  expect(store.newest).toEqual(receipt);
});

test("a record is told only after a sync that came after its write", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  disk.done.length = 0;
  let open = () => {};
  disk.gate = new Promise((resolve) => (open = resolve));
  let told = false;
  const append = store.append("gate.operator", intentOf()).then(() => (told = true));
  while (disk.done.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBe(false);
  open();
  await append;
  expect(disk.done).toEqual([expect.stringMatching(/^write/), "sync"]);
});

test("what arrives while the disk is busy is written together and synced once, in order of arrival", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  disk.done.length = 0;
  const receipts = await Promise.all(
    Array.from({ length: 50 }, (_, index) => appended(store, "gate.operator", sessionOf(`${index}`))),
  );
  expect(receipts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => BigInt(index + 2)));
  expect(disk.done.filter((what) => what === "sync").length).toBe(2);
  recorded();
});

test("an entry that breaks a rule is refused alone; those beside it are written", async () => {
  const store = await opened();
  const [first, wrong, last] = await Promise.all([
    store.append("gate.operator", intentOf()),
    store.append("gate.visitor", outcomeOf(2n)),
    store.append("gate.operator", outcomeOf(2n)),
  ]);
  expect([first.ok, wrong, last.ok]).toEqual([true, { ok: false, reason: "gate.visitor has no open intent 2" }, true]);
  expect(kinds()).toEqual(["audit boot", "gate.operator intent", "gate.operator outcome"]);
});

test("a disk that takes a few bytes at a time gets them all", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  disk.mouthful = 7;
  await appended(store, "gate.operator", intentOf());
  expect(kinds()).toEqual(["audit boot", "gate.operator intent"]);
});

test("a disk that refuses a write is not written to again until the next boot", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  disk.writeError = "EROFS";
  const reason = "the disk refused the record: EROFS; nothing more is recorded until the next boot";
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason });
  disk.writeError = "";
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason });
  expect([store.refusal, kinds()]).toEqual([reason, ["audit boot"]]);
});

test("where the half of a record cannot be cut back at once, it is before the next write", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  disk.room = 100;
  disk.truncateErrors.push(systemError("EIO"));
  expect(await store.append("gate.operator", intentOf())).toMatchObject({ ok: false });
  const torn = verify(inChunks(readFileSync(path)));
  expect({ torn: torn.torn, sequence: torn.chain.sequence }).toEqual({ torn: 100, sequence: 1n });
  disk.room = Number.POSITIVE_INFINITY;
  await appended(store, "gate.operator", sessionOf("short"));
  expect(kinds()).toEqual(["audit boot", "gate.operator session"]);
});

test("after a sync that failed nothing is told to be recorded until the next boot", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  disk.syncErrors.push(systemError("EIO"));
  const reason = "the disk did not keep a record: EIO; nothing more is recorded until the next boot";
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason });
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason });
  expect(store.refusal).toBe(reason);
  expect(kinds()).toEqual(["audit boot"]);
  await store.close();
  await opened(2);
  expect(kinds()).toEqual(["audit boot", "audit boot"]);
});

test("whatever the disk does, what was told is in the log, in order, and the log is whole after the next start", async () => {
  const trouble = fc.record({
    room: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 4000 })),
    mouthful: fc.integer({ min: 1, max: 3000 }),
    truncates: fc.nat({ max: 2 }),
    syncFails: fc.boolean(),
    records: fc.integer({ min: 1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(trouble, { minLength: 1, maxLength: 4 }), async (troubles) => {
      rmSync(path, { force: true });
      const told: Receipt[] = [];
      const disk = new FailingDisk();
      const store = await opened(1, disk);
      for (const { room, mouthful, truncates, syncFails, records } of troubles) {
        Object.assign(disk, { room, mouthful });
        for (let count = 0; count < truncates; count += 1) disk.truncateErrors.push(systemError("EIO"));
        if (syncFails) disk.syncErrors.push(systemError("EIO"));
        const appends = Array.from({ length: records }, () => store.append("gate.operator", intentOf()));
        for (const receipt of await Promise.all(appends)) if (receipt.ok) told.push(receipt.value);
      }
      await store.close();
      await (await opened(2)).close();
      const hashes = recorded().map(({ hash }) => hash);
      for (const { sequence, hash } of told) expect(hashes[Number(sequence) - 1]).toEqual(hash);
    }),
    { numRuns: 60 },
  );
});

test("a torn record is cut, its bytes are counted, and open intents become orphans", async () => {
  const before = bytesOf(smallLog());
  const torn = Buffer.from(smallLog()[1]?.bytes ?? []).subarray(0, 99);
  writeFileSync(path, Buffer.concat([before, torn]));
  await opened(2);
  const boot = recorded().at(-1)?.record;
  expect(boot?.sequence).toBe(6n);
  expect(boot?.entry).toMatchObject({ boot: { recovered: 99, orphans: [5n] } });
});

test("cut at any byte of its last record, a log is recovered with all the others", async () => {
  const links = smallLog();
  const bytes = bytesOf(links);
  const kept = bytesOf(links.slice(0, -1)).length;
  for (let end = kept; end < bytes.length; end += 1) {
    writeFileSync(path, bytes.subarray(0, end));
    await (await opened(2)).close();
    const found = recorded();
    expect(found.slice(0, -1).map(({ hash }) => hash)).toEqual(links.slice(0, -1).map(({ hash }) => hash));
    expect(found.at(-1)?.record.entry).toMatchObject({ boot: { recovered: end - kept, orphans: [] } });
  }
});

test("a damaged log is not added to, and not touched", async () => {
  const bytes = Buffer.from(bytesOf(smallLog()));
  bytes[300] = (bytes[300] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const store = await openStore(path, bootOf(2));
  expect(store).toMatchObject({ ok: false, reason: expect.stringMatching(/^the audit log is damaged at byte \d+: /) });
  expect(readFileSync(path)).toEqual(bytes);
});

test("a link, a directory and a missing folder are no logs", async () => {
  const elsewhere = join(folder, "elsewhere");
  writeFileSync(elsewhere, "");
  symlinkSync(elsewhere, path);
  expect(await openStore(path, bootOf(1))).toMatchObject({ ok: false, reason: expect.stringContaining("ELOOP") });
  mkdirSync(join(folder, "directory"));
  expect(await openStore(join(folder, "directory"), bootOf(1))).toMatchObject({ ok: false });
  expect(await openStore(join(folder, "none", "audit.log"), bootOf(1))).toMatchObject({ ok: false });
});

test("a reader sees the newest of its own records and what boots found, also of earlier boots", async () => {
  const first = await opened(1);
  await appended(first, "gate.operator", sessionOf("one"));
  await appended(first, "gate.visitor", sessionOf("two"));
  await first.close();
  const store = await opened(2);
  await appended(store, "gate.operator", sessionOf("three"));
  const tail = async (reader: string, count: number) => {
    const records = await store.tail(reader, count);
    return records.ok ? records.value.map(({ sequence }) => sequence) : records.reason;
  };
  expect(await tail("gate.operator", 100)).toEqual([1n, 2n, 4n, 5n]);
  expect(await tail("gate.operator", 2)).toEqual([4n, 5n]);
  expect(await tail("gate.visitor", 100)).toEqual([1n, 3n, 4n]);
  expect(await tail("gate.operator", 0)).toEqual([]);
});

test("a tail fits into one frame, however many records are asked for", async () => {
  const store = await opened(1);
  for (let count = 0; count < 12; count += 1) await appended(store, "gate.operator", sessionOf("x".repeat(100_000)));
  const tail = await store.tail("gate.operator", 0xffff_ffff);
  expect(tail.ok && tail.value.map(({ sequence }) => sequence)).toEqual([4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n, 13n]);
});
