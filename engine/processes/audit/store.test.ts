import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { BLOCK_BYTES } from "./block.ts";
import { createLogBytes } from "./device.ts";
import { openStore } from "./opening.ts";
import type { Boot, Receipt, Store } from "./store.ts";
import { FailingDisk, systemError } from "./testing/disk.ts";
import { bootIdOf, bytesOf, intentOf, outcomeOf, POLICY_DIGEST, sessionOf, smallLog } from "./testing/sample.ts";
import { type VerifiedRecord, verify } from "./verify.ts";

let disk: FailingDisk;
beforeEach(() => {
  disk = new FailingDisk();
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

async function opened(boot = 1, changes: Partial<Boot> = {}): Promise<Store> {
  const store = await openStore(disk.plugged(), { ...bootOf(boot), ...changes });
  if (!store.ok) throw new Error(store.reason);
  return store.value;
}

/** Resolves when the disk has done a write or a sync since the test emptied `disk.done`. */
async function written(): Promise<void> {
  while (disk.done.length === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the receipt of an append that must succeed. */
async function appended(store: Store, ...[writer, entry]: Parameters<Store["append"]>): Promise<Receipt> {
  const receipt = await store.append(writer, entry);
  if (!receipt.ok) throw new Error(receipt.reason);
  return receipt.value;
}

/** Returns the records on the disk; fails unless the log is valid to its end. */
function recorded(): VerifiedRecord[] {
  const found: VerifiedRecord[] = [];
  const { fault, torn } = verify(createLogBytes(disk.bytes), (one) => found.push(one));
  expect({ fault, torn }).toEqual({ fault: undefined, torn: 0 });
  return found;
}

const kinds = (): string[] => recorded().map(({ record }) => `${record.writer} ${record.entry.which}`);

test("a new log begins with its boot record and a seal of its first key", async () => {
  await opened();
  expect(kinds()).toEqual(["audit boot", "audit seal"]);
});

test("each record names the policy under which it was written", async () => {
  const store = await opened();
  await appended(store, "gate.operator", intentOf());
  await appended(store, "gate.operator", outcomeOf(3n));
  const digests = recorded().map(({ record }) => Buffer.from(record.policyDigest).toString("hex"));
  expect(digests).toEqual(Array.from({ length: 4 }, () => Buffer.from(POLICY_DIGEST).toString("hex")));
});

test("records have the order of the appends, and state the time that the wall clock showed, even if the clock jumps", async () => {
  const DAY_MS = 86_400_000n;
  const clocks = fc.array(fc.bigInt({ min: 0n, max: 60n * DAY_MS }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(clocks, { minLength: 1, maxLength: 4 }), async (boots) => {
      disk = new FailingDisk();
      const told: { readonly detail: string; readonly wallMs: bigint }[] = [];
      for (const [boot, walls] of boots.entries()) {
        const clock = { monotonicMs: 0n, wallMs: walls[0] ?? 0n, wallSource: "rtc" };
        const store = await opened(boot + 1, { time: () => ({ ...clock }) });
        for (const wallMs of walls) {
          clock.wallMs = wallMs;
          clock.monotonicMs += 1n;
          const detail = String(told.push({ detail: String(told.length + 1), wallMs }));
          await appended(store, "gate.operator", sessionOf(detail));
        }
        await store.close();
      }
      const found = recorded().map(({ record }) => record);
      expect(found.map(({ sequence }) => sequence)).toEqual(found.map((_, index) => BigInt(index + 1)));
      const said = found.flatMap(({ entry, wallMs, writer }) =>
        writer === "gate.operator" && entry.which === "session" ? [{ detail: entry.session.detail, wallMs }] : [],
      );
      expect(said).toEqual(told);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test("an append returns the sequence and hash that are on the disk", async () => {
  const store = await opened();
  const receipt = await appended(store, "gate.operator", intentOf());
  expect(receipt.sequence).toBe(3n);
  expect(receipt.hash).toEqual(recorded().at(-1)?.hash);
  expect(store.newest).toEqual(receipt);
});

test("an append returns only after a sync that follows its write", async () => {
  const store = await opened();
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

test("entries that arrive while the disk is busy are written together, in order and with one sync", async () => {
  const store = await opened();
  disk.done.length = 0;
  const receipts = await Promise.all(
    Array.from({ length: 50 }, (_, index) => appended(store, "gate.operator", sessionOf(`${index}`))),
  );
  expect(receipts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => BigInt(index + 3)));
  expect(disk.done.filter((what) => what === "sync").length).toBe(2);
  recorded();
});

test("refuses only the entry that breaks a rule, and writes the other entries of the batch", async () => {
  const store = await opened();
  const [first, wrong, last] = await Promise.all([
    store.append("gate.operator", intentOf()),
    store.append("gate.visitor", outcomeOf(3n)),
    store.append("gate.operator", outcomeOf(3n)),
  ]);
  expect([first.ok, wrong, last.ok]).toEqual([true, { ok: false, reason: "gate.visitor has no open intent 3" }, true]);
  expect(kinds()).toEqual(["audit boot", "audit seal", "gate.operator intent", "gate.operator outcome"]);
});

test("writes all records to a disk that accepts one block at a time", async () => {
  const store = await opened();
  disk.mouthful = 1;
  await appended(store, "gate.operator", intentOf());
  expect(kinds()).toEqual(["audit boot", "audit seal", "gate.operator intent"]);
});

test("after a write that the disk refuses, does not write again until the next boot", async () => {
  const store = await opened();
  disk.writeError = "EROFS";
  const reason = "the disk refused the record: EROFS; nothing more is recorded until the next boot";
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason });
  disk.writeError = "";
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason });
  expect([store.refusal, kinds()]).toEqual([reason, ["audit boot", "audit seal"]]);
});

test("after a failed sync, acknowledges no record until the next boot", async () => {
  const store = await opened();
  disk.syncErrors.push(systemError("EIO"));
  const reason = "the disk did not keep a record: EIO; nothing more is recorded until the next boot";
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason });
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason });
  expect(store.refusal).toBe(reason);
  disk.cutPower(() => false);
  await opened(2);
  expect(kinds()).toEqual(["audit boot", "audit seal", "audit boot", "audit seal"]);
});

/** The faults of the disk in one run of the machine, and the unsynced sectors that survive the power cut at its end. */
const run = fc.record({
  mouthful: fc.integer({ min: 1, max: 9 }),
  batches: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
  fails: fc.constantFrom("never", "write", "sync", "power"),
  keeps: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
});

test("the log contains every acknowledged record and is valid after a restart, even after faults of the disk and power cuts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (runs) => {
      disk = new FailingDisk();
      const told: Receipt[] = [];
      for (const [index, { mouthful, batches, fails, keeps }] of runs.entries()) {
        disk.mouthful = mouthful;
        const store = await opened(index + 1);
        for (const records of batches) {
          const entries = Array.from({ length: records }, () => store.append("gate.operator", intentOf()));
          for (const receipt of await Promise.all(entries)) if (receipt.ok) told.push(receipt.value);
        }
        if (fails === "write") disk.writeError = "EIO";
        if (fails === "sync") disk.syncErrors.push(systemError("EIO"));
        if (fails === "power") disk.gate = new Promise(() => {});
        disk.done.length = 0;
        const last = [intentOf(), sessionOf("x".repeat(2000))].map((entry) => store.append("gate.operator", entry));
        if (fails === "power") await written();
        else for (const receipt of await Promise.all(last)) if (receipt.ok) told.push(receipt.value);
        disk.cutPower((block) => keeps[block % keeps.length] === true);
      }
      await opened(99);
      const hashes = recorded().map(({ hash }) => hash);
      for (const { sequence, hash } of told) expect(hashes[Number(sequence) - 1]).toEqual(hash);
    }),
    { numRuns: 40 },
  );
});

/** Appends a long record, and cuts the power before the record is synced. */
async function torn(store: Store, keeps: (block: number) => boolean): Promise<void> {
  disk.gate = new Promise(() => {});
  disk.done.length = 0;
  void store.append("gate.operator", sessionOf("x".repeat(3000)));
  await written();
  disk.cutPower(keeps);
}

test("wipes the rest of a torn batch before it writes new records, even if power cuts interrupt the wiping several times", async () => {
  await torn(await opened(1), (block) => block % 2 === 0);
  expect(verify(createLogBytes(disk.bytes)).torn).toBeGreaterThan(2 * BLOCK_BYTES);
  disk.syncErrors.push(systemError("EIO"));
  expect(await openStore(disk.plugged(), bootOf(2))).toEqual({
    ok: false,
    reason: "the audit log cannot be opened: EIO",
  });
  disk.cutPower((block) => block % 4 !== 0);
  expect(verify(createLogBytes(disk.bytes)).torn).toBeGreaterThan(0);
  await opened(3);
  expect(kinds()).toEqual(["audit boot", "audit seal", "audit boot", "audit seal"]);
});

test("a boot record lists open intents as orphans, and the next boot record counts the blocks of a torn batch", async () => {
  disk.bytes.set(bytesOf(smallLog()));
  await torn(await opened(2), (block) => block % 3 === 0);
  const left = verify(createLogBytes(disk.bytes)).torn;
  expect(left).toBeGreaterThan(0);
  await opened(3);
  const boots = recorded().flatMap(({ record: { entry } }) => (entry.which === "boot" ? [entry.boot] : []));
  expect(boots.slice(-2)).toMatchObject([
    { recovered: 0, orphans: [5n] },
    { recovered: left, orphans: [] },
  ]);
});

test("does not change a damaged log", async () => {
  disk.bytes.set(bytesOf(smallLog()));
  disk.bytes[300] = (disk.bytes[300] ?? 0) ^ 1;
  const before = Buffer.from(disk.bytes);
  const reason = "the audit log is damaged at byte 0: the checksum of the block is another";
  expect(await openStore(disk.plugged(), bootOf(2))).toEqual({ ok: false, reason });
  expect([disk.bytes.equals(before), disk.done]).toEqual([true, []]);
});

test("does not write to a partition that contains other data", async () => {
  disk.bytes.write("somebody's words", 1_000_000);
  const reason = `the audit log is damaged at byte ${Math.floor(1_000_000 / 512) * 512}: this is no block of an audit`;
  expect(await openStore(disk.plugged(), bootOf(1))).toEqual({ ok: false, reason });
  expect(disk.done).toEqual([]);
});

test("a reader gets the newest of its own records and of the boot records, including records of earlier boots", async () => {
  const first = await opened(1);
  await appended(first, "gate.operator", sessionOf("one"));
  await appended(first, "gate.visitor", sessionOf("two"));
  const store = await opened(2);
  await appended(store, "gate.operator", sessionOf("three"));
  const tail = async (reader: string, count: number) => {
    const records = await store.readTail(reader, count);
    return records.ok ? records.value.map(({ sequence }) => sequence) : records.reason;
  };
  expect(await tail("gate.operator", 100)).toEqual([1n, 3n, 5n, 7n]);
  expect(await tail("gate.operator", 2)).toEqual([5n, 7n]);
  expect(await tail("gate.visitor", 100)).toEqual([1n, 4n, 5n]);
  expect(await tail("gate.operator", 0)).toEqual([]);
});

test("the newest records that a reader gets fit into one frame, however many are requested", async () => {
  disk = new FailingDisk(4 * 1024 * 1024);
  const store = await opened(1);
  for (let count = 0; count < 12; count += 1) await appended(store, "gate.operator", sessionOf("x".repeat(100_000)));
  const tail = await store.readTail("gate.operator", 0xffff_ffff);
  expect(tail.ok && tail.value.map(({ sequence }) => sequence)).toEqual([5n, 7n, 8n, 9n, 11n, 12n, 13n, 16n, 17n, 18n]);
});
