// Tests the audit as a process that is killed while records stream in: every acknowledged record must be in the log.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import { AuditLog } from "../../lib/wire/generated/wire.ts";
import { type Connection, MAX_IN_FLIGHT } from "../../lib/wire/index.ts";
import { BLOCK_BYTES, isBlank } from "./block.ts";
import { createLogBytes } from "./device.ts";
import { type AuditProcess, bundleAudit, type Death, PARTITION, startProcess } from "./testing/audit-process.ts";
import { intentOf, outcomeOf } from "./testing/sample.ts";
import { verify } from "./verify.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-audit-"));
const partition = join(folder, PARTITION);
beforeAll(() => bundleAudit(folder));
const started: AuditProcess[] = [];
afterAll(() => {
  for (const { child } of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface Acknowledged {
  readonly sequence: bigint;
  readonly hash: string;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Appends intents and their outcomes until the connection ends; calls `tell` for each acknowledgement. */
async function stream(connection: Connection, size: number, tell: (acknowledged: Acknowledged) => void): Promise<void> {
  const append = async (entry: AuditEntry): Promise<bigint | undefined> => {
    const reply = await connection.call(AuditLog.methods.append, { entry });
    if (reply.ok) tell({ sequence: reply.value.sequence, hash: hex(reply.value.hash) });
    return reply.ok ? reply.value.sequence : undefined;
  };
  const oneCallAfterTheOther = async () => {
    for (;;) {
      const intent = await append(intentOf({ arguments: "x".repeat(size) }));
      if (intent === undefined || (await append(outcomeOf(intent))) === undefined) return;
    }
  };
  await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, oneCallAfterTheOther));
}

/**
 * The point at which the process dies: it kills itself there, or the test kills it. The point is an event, such as the n-th write, and not
 * a time.
 */
type Moment =
  | Death
  | { readonly at: "acknowledged"; readonly count: number }
  | { readonly at: "grown"; readonly bytes: number }
  | { readonly at: "sent" };

const moment: fc.Arbitrary<Moment> = fc.oneof(
  fc.record({
    at: fc.constant("write" as const),
    count: fc.integer({ min: 1, max: 8 }),
    bytes: fc.nat({ max: 5000 }),
  }),
  fc.record({ at: fc.constant("sync" as const), count: fc.integer({ min: 1, max: 8 }), bytes: fc.constant(0) }),
  fc.record({ at: fc.constant("acknowledged" as const), count: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ at: fc.constant("grown" as const), bytes: fc.integer({ min: 1, max: 300_000 }) }),
  fc.constant({ at: "sent" as const }),
);

/** Size in bytes of the arguments that each holder sends: mostly small, sometimes more than fits into one batch. */
const size = fc.oneof(
  { weight: 15, arbitrary: fc.integer({ min: 1, max: 2000 }) },
  { weight: 1, arbitrary: fc.constant(150_000) },
);
const sizes = fc.array(size, { minLength: 1, maxLength: 3 });

/** Deaths that every run includes: when half of a record is written, and before a written record is synced. */
const surely: [number[], Moment][] = [
  [[100, 100], { at: "write", count: 1, bytes: 600 }],
  [[100, 100], { at: "sync", count: 1, bytes: 0 }],
];

/**
 * Kills a running audit at the given moment while holders append; returns the records acknowledged before its death.
 */
async function killedAt(audit: AuditProcess, sizes: readonly number[], when: Moment): Promise<Acknowledged[]> {
  const told: Acknowledged[] = [];
  const before = verify(createLogBytes(readFileSync(partition))).length;
  const kill = () => audit.child.kill("SIGKILL");
  const holders = await Promise.all(sizes.map((_, index) => audit.grant(`gate.${index}`)));
  const streams = holders.map((holder, index) =>
    stream(holder, sizes[index] ?? 1, (acknowledged) => {
      told.push(acknowledged);
      if (when.at === "acknowledged" && told.length >= when.count) kill();
    }),
  );
  if (when.at === "sent") kill();
  if (when.at === "grown") await growth(before + when.bytes).then(kill);
  await Promise.all([...streams, audit.gone]);
  return told;
}

/** Resolves once the block at this offset is not blank: a write or a sync is then under way. */
async function growth(at: number): Promise<void> {
  const block = at - (at % BLOCK_BYTES);
  while (isBlank(readFileSync(partition).subarray(block, block + BLOCK_BYTES)))
    await new Promise((resolve) => setImmediate(resolve));
}

test("a log keeps every acknowledged record if its process is killed at any moment, and the next boot continues the log", async () => {
  let boot = 0;
  const all: Acknowledged[] = [];
  const oneBoot = async (lengths: readonly number[], when: Moment) => {
    boot += 1;
    const death = when.at === "write" || when.at === "sync" ? when : undefined;
    const audit = await startProcess(folder, boot.toString(16).padStart(32, "0"), { death });
    started.push(audit);
    all.push(...(await killedAt(audit, lengths, when)));
    const hashes = new Map<bigint, string>();
    const { fault, boots } = verify(createLogBytes(readFileSync(partition)), ({ record, hash }) =>
      hashes.set(record.sequence, hex(hash)),
    );
    expect({ fault, boots }).toEqual({ fault: undefined, boots: boot });
    for (const { sequence, hash } of all) expect(hashes.get(sequence)).toBe(hash);
  };
  await fc.assert(fc.asyncProperty(sizes, moment, oneBoot), { numRuns: 14, examples: surely, endOnFailure: true });
  expect(all.length).toBeGreaterThan(0);
});

test("after a clean stop the log ends with a record of the end and a seal over this record", async () => {
  const audit = await startProcess(folder, "f".repeat(32));
  started.push(audit);
  const holder = await audit.grant("gate.operator");
  expect(await holder.call(AuditLog.methods.append, { entry: intentOf({}) })).toMatchObject({ ok: true });
  audit.child.send({ capos: "stop" });
  await audit.gone;
  const entries: AuditEntry[] = [];
  verify(createLogBytes(readFileSync(partition)), ({ record }) => entries.push(record.entry));
  const last = [{ which: "session", session: { event: "ended" } }, { which: "seal" }];
  expect([audit.child.exitCode, ...entries.slice(-2)]).toMatchObject([0, ...last]);
});

test("without a disk the process serves but records no entries", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "capos-audit-"));
  try {
    await bundleAudit(elsewhere);
    const audit = await startProcess(elsewhere, "0".repeat(32), { hasDisk: false });
    started.push(audit);
    const holder = await audit.grant("gate.operator");
    expect(await holder.call(AuditLog.methods.status, {})).toMatchObject({ ok: true, value: { durable: false } });
    expect(existsSync(join(elsewhere, PARTITION))).toBe(false);
    audit.child.disconnect();
    holder.close();
    await audit.gone;
    expect(audit.child.exitCode).toBe(0);
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});
