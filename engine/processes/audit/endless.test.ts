// Tests the log over a long life: a year of hourly tasks with restarts, and 10,000 answers of a model, in a partition of the least size.

import { expect, test } from "vitest";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import { createLogBytes } from "./device.ts";
import { openStore } from "./opening.ts";
import type { Store } from "./store.ts";
import { FailingDisk } from "./testing/disk.ts";
import { createBoot, intentOf, outcomeOf, sessionOf } from "./testing/sample.ts";
import { verify } from "./verify.ts";

const PARTITION_BYTES = 8 * 1024 * 1024;
/** The minimum size of a segment. A segment ends with the first seal after this size. */
const SEGMENT_BYTES = 1024 * 1024;
const HOUR_MS = 3_600_000n;

/** A machine whose clock the test sets; `verifiedBytes` is the number of bytes of the records that its newest start verified. */
class LongLife {
  readonly disk = new FailingDisk(PARTITION_BYTES);
  now = 1_800_000_000_000n;
  verifiedBytes = 0;
  #boots = 0;

  async start(): Promise<Store> {
    this.#boots += 1;
    this.verifiedBytes = 0;
    const boot = createBoot(this.#boots % 256, () => this.now);
    let isStarting = true;
    const onStored = ({ length }: { readonly length: number }) => {
      if (isStarting) this.verifiedBytes += length;
    };
    const store = await openStore(this.disk.plugged(), boot, { keep: "untilShipped", onStored });
    isStarting = false;
    if (!store.ok) throw new Error(store.reason);
    return store.value;
  }

  verify() {
    return verify(createLogBytes(this.disk.bytes));
  }
}

async function append(store: Store, entry: AuditEntry): Promise<bigint> {
  const receipt = await store.append("gate.operator", entry);
  if (!receipt.ok) throw new Error(receipt.reason);
  return receipt.value.sequence;
}

test("records a year of hourly tasks with a restart each month, and each start verifies at most two segments", async () => {
  const life = new LongLife();
  let store = await life.start();
  const hours = 365 * 24;
  for (let hour = 0; hour < hours; hour += 1) {
    life.now += HOUR_MS;
    await append(store, sessionOf(`task nightly begins, hour ${hour}`));
    const intent = await append(store, intentOf({ turn: hour }));
    await append(store, outcomeOf(intent, { turn: hour }));
    // The collector acknowledges once a day.
    if (hour % 24 === 23)
      expect(await store.append("audit", { which: "shipped", shipped: store.newest.sequence })).toMatchObject({
        ok: true,
      });
    if (hour % 730 === 729) {
      await store.close();
      store = await life.start();
      expect(life.verifiedBytes).toBeGreaterThan(0);
      expect(life.verifiedBytes).toBeLessThan(2.5 * SEGMENT_BYTES);
    }
  }
  await store.close();
  const { chain, beyond, fault } = life.verify();
  expect(fault).toBeUndefined();
  expect(chain.sequence).toBeGreaterThan(3n * BigInt(hours));
  expect(beyond?.sequence).toBeGreaterThan(0n);
});

test("a partition of fixed size takes the records of 10,000 model answers, if their shipping is recorded", async () => {
  const life = new LongLife();
  const store = await life.start();
  const usage = { promptTokens: 200_000, outputTokens: 200 };
  const answer = (turn: number, count: number): AuditEntry => ({
    which: "inference",
    inference: {
      ...{ session: "operator", conversation: "c1", turn, model: "stub", backend: "canned" },
      ...{ nonce: Buffer.alloc(16, turn % 256), usage, earlier: 2 * turn, recalled: [], masked: [], isWithheld: false },
      messages: Array.from({ length: count }, () => ({ role: "user", bytes: 400, hash: Buffer.alloc(32, turn % 256) })),
    },
  });
  for (let turn = 0; turn < 10_000; turn += 1) {
    await append(store, answer(turn, 2));
    if (turn % 100 === 99) await store.append("audit", { which: "shipped", shipped: store.newest.sequence });
  }
  await store.close();
  const { chain, fault } = life.verify();
  expect(fault).toBeUndefined();
  expect(chain.sequence).toBeGreaterThan(10_000n);
  expect(life.disk.bytes.length).toBe(PARTITION_BYTES);
});
