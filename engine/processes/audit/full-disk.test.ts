// The audit with a full partition: no call begins, but the records that must be written are still written.

import { expect, test } from "vitest";
import type { Result } from "../../lib/result/result.ts";
import { LAST_BLOCKS } from "./batches.ts";
import { countBlocks } from "./block.ts";
import { createLogBytes } from "./device.ts";
import { openStore } from "./opening.ts";
import { FULL, RESERVE_BYTES, START_BYTES, type Store } from "./store.ts";
import { FailingDisk } from "./testing/disk.ts";
import { createBoot, intentOf, outcomeOf, sessionOf } from "./testing/sample.ts";
import { verify } from "./verify.ts";

/**
 * Returns a partition with this many blocks besides the reserve and the last two blocks. A boot record and a seal take one block each, and an
 * intent takes two.
 */
function diskWith(blocks: number): FailingDisk {
  return new FailingDisk((countBlocks(RESERVE_BYTES) + blocks + LAST_BLOCKS) * 512);
}

async function booted(boot: number, disk: FailingDisk): Promise<Result<Store>> {
  return await openStore(disk.plugged(), createBoot(boot));
}

async function opened(boot: number, disk: FailingDisk): Promise<Store> {
  const store = await booted(boot, disk);
  if (!store.ok) throw new Error(store.reason);
  return store.value;
}

/** Returns the kinds of the log's records; fails unless the log is valid to its end. */
function kinds(disk: FailingDisk): readonly string[] {
  const found: string[] = [];
  const { fault, torn } = verify(createLogBytes(disk.bytes), ({ record }) => found.push(record.entry.which));
  expect([fault, torn]).toEqual([undefined, 0]);
  return found;
}

test("when only the reserve is left, refuses new calls, and records refusals and outcomes", async () => {
  const disk = diskWith(5);
  const store = await opened(1, disk);
  expect(await store.append("gate.operator", intentOf())).toMatchObject({ ok: true });
  expect([store.refusal, store.taken]).toEqual([undefined, 80]);
  expect(await store.append("gate.visitor", intentOf())).toEqual({ ok: false, reason: FULL });
  expect([store.refusal, store.taken]).toEqual([FULL, 100]);
  expect(await store.append("gate.visitor", outcomeOf(0n))).toMatchObject({ ok: true });
  expect(await store.append("gate.operator", outcomeOf(3n))).toMatchObject({ ok: true });
  expect(kinds(disk)).toEqual(["boot", "seal", "intent", "outcome", "outcome"]);
});

test("when only the reserve is left, decides separately about each of several entries that are appended at once", async () => {
  const disk = diskWith(4);
  const store = await opened(1, disk);
  await store.append("gate.operator", intentOf());
  const [end, next, note] = await Promise.all([
    store.append("gate.operator", outcomeOf(3n)),
    store.append("gate.visitor", intentOf()),
    store.append("gate.visitor", sessionOf("revoked")),
  ]);
  expect([end, next, note]).toMatchObject([{ ok: true }, { ok: false, reason: FULL }, { ok: true }]);
  expect(kinds(disk)).toEqual(["boot", "seal", "intent", "outcome", "session"]);
});

test("endless refusals leave room for the outcomes of calls that began", async () => {
  const disk = diskWith(4);
  const store = await opened(1, disk);
  await store.append("gate.operator", intentOf());
  const long = "x".repeat(10_000);
  let written = 0;
  while ((await store.append("gate.visitor", outcomeOf(0n, { error: long }))).ok) written += 1;
  expect(written).toBeGreaterThan(20);
  for (let count = 0; count < 5; count += 1) await store.append("gate.visitor", outcomeOf(0n, { error: long }));
  expect(await store.append("gate.operator", outcomeOf(3n, { error: long }))).toMatchObject({ ok: true });
});

test("a read that is recorded only by its outcome cannot use the reserve", async () => {
  const disk = diskWith(3);
  const store = await opened(1, disk);
  expect(await store.append("gate.operator", outcomeOf(0n, { sent: true }))).toEqual({ ok: false, reason: FULL });
  expect(await store.append("gate.operator", outcomeOf(0n))).toMatchObject({ ok: true });
  expect(await store.append("gate.operator", outcomeOf(0n, { sent: true }))).toEqual({ ok: false, reason: FULL });
  expect(kinds(disk)).toEqual(["boot", "seal", "outcome"]);
});

test("if the partition is full at the start, the boot record uses the reserve and no call begins", async () => {
  const disk = diskWith(2);
  await opened(1, disk);
  const store = await opened(2, disk);
  expect([store.refusal, kinds(disk)]).toEqual([FULL, ["boot", "seal", "boot", "seal"]]);
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason: FULL });
});

test("opening the log fails with a reason if the reserve has no room for the boot record", async () => {
  const reason = `the audit log takes no boot record: ${FULL}`;
  expect(await booted(1, new FailingDisk(0))).toEqual({ ok: false, reason });
  const disk = new FailingDisk((countBlocks(START_BYTES) + LAST_BLOCKS) * 512);
  await opened(1, disk);
  expect(await booted(2, disk)).toEqual({ ok: false, reason });
});

test("opening the log fails with a reason on a read-only disk", async () => {
  const disk = diskWith(9);
  disk.writeError = "EROFS";
  const reason = "the audit has no key: the disk did not keep the key of the next seal: EROFS";
  expect(await booted(1, disk)).toEqual({
    ok: false,
    reason: `${reason}; nothing more is recorded until the next boot`,
  });
});
