// What the audit does on a disk without room: no call begins, and what has to be said is still written.

import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Checked } from "../policy/checked.ts";
import { openStore } from "./opening.ts";
import { RESERVE_BYTES } from "./reserve.ts";
import type { Store } from "./store.ts";
import { FailingDisk } from "./testing/disk.ts";
import { bootIdOf, inChunks, intentOf, outcomeOf, POLICY_DIGEST, sessionOf } from "./testing/sample.ts";
import { verify } from "./verify.ts";

const FULL = "the audit log's disk is full; no call runs until there is room and the machine has started again";
let folder = "";
const stores: Store[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-audit-"));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function booted(boot: number, disk: FailingDisk): Promise<Checked<Store>> {
  const time = () => ({ monotonicMs: 5n, wallMs: 6n, wallSource: "rtc" });
  const system = { systemId: "first-agent", version: "1.0.0", writer: "audit", time };
  const identity = { ...system, bootId: bootIdOf(boot), policyDigest: POLICY_DIGEST };
  const store = await openStore(join(folder, "audit.log"), identity, (file) => disk.on(file));
  if (store.ok) stores.push(store.value);
  return store;
}

async function opened(boot: number, disk: FailingDisk): Promise<Store> {
  const store = await booted(boot, disk);
  if (!store.ok) throw new Error(store.reason);
  return store.value;
}

/** The records of the log, which must be in order to its end. */
function kinds(): readonly string[] {
  const found: string[] = [];
  const { fault, torn } = verify(inChunks(readFileSync(join(folder, "audit.log"))), ({ record }) =>
    found.push(record.entry.which),
  );
  expect([fault, torn]).toEqual([undefined, 0]);
  return found;
}

const reserved = () => statSync(join(folder, "audit.reserve")).size;

test("from its first start the audit holds room that it does not use", async () => {
  const store = await opened(1, new FailingDisk());
  expect([reserved(), store.refusal]).toEqual([RESERVE_BYTES, undefined]);
});

test("the call that meets the full disk does not begin, and its refusal and the ends of others are on record", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  await store.append("gate.operator", intentOf());
  disk.room = 100;
  expect(await store.append("gate.visitor", intentOf())).toEqual({ ok: false, reason: FULL });
  expect([store.refusal, reserved()]).toEqual([FULL, 0]);
  expect(await store.append("gate.visitor", outcomeOf(0n))).toMatchObject({ ok: true });
  expect(await store.append("gate.operator", outcomeOf(2n))).toMatchObject({ ok: true });
  expect(kinds()).toEqual(["boot", "intent", "outcome", "outcome"]);
});

test("an end that meets the full disk is written, together with all that waited beside it", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  await store.append("gate.operator", intentOf());
  disk.room = 0;
  const [end, next, note] = await Promise.all([
    store.append("gate.operator", outcomeOf(2n)),
    store.append("gate.visitor", intentOf()),
    store.append("gate.visitor", sessionOf("revoked")),
  ]);
  expect([end, next, note]).toMatchObject([{ ok: true }, { ok: false, reason: FULL }, { ok: true }]);
  expect(kinds()).toEqual(["boot", "intent", "outcome", "session"]);
});

test("room that comes back begins no call before the next start", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  disk.room = 0;
  await store.append("gate.operator", intentOf());
  disk.room = Number.POSITIVE_INFINITY;
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason: FULL });
  const next = await opened(2, disk);
  expect([next.refusal, reserved()]).toEqual([undefined, RESERVE_BYTES]);
  expect(await next.append("gate.operator", intentOf())).toMatchObject({ ok: true });
});

test("refusals without end leave room for the ends of calls that had begun", async () => {
  const disk = new FailingDisk();
  const store = await opened(1, disk);
  await store.append("gate.operator", intentOf());
  disk.room = 0;
  const long = "x".repeat(10_000);
  let written = 0;
  while ((await store.append("gate.visitor", outcomeOf(0n, { error: long }))).ok) written += 1;
  expect(written).toBeGreaterThan(20);
  expect(disk.room).toBeGreaterThan(RESERVE_BYTES / 2);
  expect(await store.append("gate.operator", outcomeOf(2n, { error: long }))).toMatchObject({ ok: true });
});

test("a disk that is full at the start takes the boot record from the reserve, and no call", async () => {
  const disk = new FailingDisk();
  await opened(1, disk);
  disk.room = 0;
  const store = await opened(2, disk);
  expect([store.refusal, kinds()]).toEqual([FULL, ["boot", "boot"]]);
  expect(await store.append("gate.operator", intentOf())).toEqual({ ok: false, reason: FULL });
});

test("without room for the reserve no call runs, though the boot record fits", async () => {
  const disk = new FailingDisk();
  disk.room = RESERVE_BYTES - 1;
  const store = await opened(1, disk);
  expect([store.refusal, reserved(), kinds()]).toEqual([FULL, 0, ["boot"]]);
});

test("without room for the boot record there is no store, and the reason says so", async () => {
  const disk = new FailingDisk();
  disk.room = 100;
  const reason = "the audit log takes no boot record: the disk refused the record: ENOSPC";
  expect(await booted(1, disk)).toEqual({ ok: false, reason });
});

test("a disk that can only be read has no store, and the reason says so", async () => {
  const disk = new FailingDisk();
  disk.writeError = "EROFS";
  expect(await booted(1, disk)).toEqual({
    ok: false,
    reason:
      "the audit's reserve cannot be made: the disk refused the record: EROFS; nothing more is recorded until the next boot",
  });
});

test("a reserve that was cut short is made whole at the next start", async () => {
  await opened(1, new FailingDisk());
  truncateSync(join(folder, "audit.reserve"), 10);
  await opened(2, new FailingDisk());
  expect(reserved()).toBe(RESERVE_BYTES);
});
