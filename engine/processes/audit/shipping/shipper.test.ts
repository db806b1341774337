// Tests shipping from a real log on a disk to a collector that can fail in any way.

import fc from "fast-check";
import { expect, test } from "vitest";
import { bug } from "../../../lib/result/bug.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { openStore } from "../opening.ts";
import type { Store } from "../store.ts";
import { FailingDisk } from "../testing/disk.ts";
import { bootIdOf, POLICY_DIGEST, sessionOf } from "../testing/sample.ts";
import { renderRequestBody } from "./otlp.ts";
import { Shipper } from "./shipper.ts";

/** A collector that stores received records, and answers as the test plans. */
class Collector {
  readonly taken: number[] = [];
  /** Fate of each request: it arrived and was acknowledged, it arrived and its answer was lost, or it did not arrive. */
  readonly plan: ("taken" | "lost" | "gone")[] = [];
  /** The result of each request that `plan` does not cover. */
  else: "taken" | "gone" = "taken";
  requests = 0;

  send(body: string): Result<void> {
    this.requests += 1;
    const next = this.plan.shift() ?? this.else;
    if (next !== "gone") this.taken.push(...sequencesIn(body));
    return next === "taken" ? accept(undefined) : refuse("it hung up");
  }
}

function sequencesIn(body: string): readonly number[] {
  const { logRecords } = JSON.parse(body).resourceLogs[0].scopeLogs[0];
  const number = (record: { attributes: { key: string; value: { intValue: string } }[] }): number =>
    Number(record.attributes.find(({ key }) => key === "capos.sequence")?.value.intValue);
  return logRecords.map(number);
}

interface Run {
  readonly store: Store;
  readonly shipper: Shipper;
}

/** Runs the machine once. The waits of the shipper end immediately, because their length is not tested here. */
async function started(disk: FailingDisk, collector: Collector, boot: number, waits: number[] = []): Promise<Run> {
  let store: Store | undefined;
  const shipper = new Shipper({
    send: async (found, origin, signal) =>
      signal.aborted ? refuse("the machine stops") : collector.send(renderRequestBody(found, origin)),
    read: async (stored) => (await store?.read(stored)) ?? refuse("there is no log"),
    note: async (shipped) => (await store?.append("audit", { which: "shipped", shipped }))?.ok === true,
    wait: async (ms) => {
      waits.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
    origin: () => ({ systemId: "s", version: "1", instance: "", tools: new Set() }),
  });
  const time = () => ({ monotonicMs: 5n, wallMs: 6n, wallSource: "rtc" });
  const system = { systemId: "s", version: "1", writer: "audit", time };
  const made = { ...system, bootId: bootIdOf(boot), policyDigest: POLICY_DIGEST };
  const opened = await openStore(disk.plugged(), made, {
    onStored: (stored) => shipper.add(stored),
    onOlder: (stored) => shipper.addOlder(stored),
  });
  store = opened.ok ? opened.value : bug(opened.reason);
  shipper.start();
  return { store, shipper };
}

async function wrote(store: Store, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, at) => store.append("gate.operator", sessionOf(`${at}`))));
}

/** Resolves when the collector has every record on the disk. */
async function caughtUp({ shipper }: Run): Promise<void> {
  while (shipper.words.includes("not shipped") || shipper.words.includes("nothing yet"))
    await new Promise((resolve) => setImmediate(resolve));
}

const isRun = (numbers: readonly number[]): boolean => numbers.every((number, at) => number === at + 1);

test("ships records in order, and logs the sequence of the last one", async () => {
  const [disk, collector] = [new FailingDisk(), new Collector()];
  const run = await started(disk, collector, 1);
  await wrote(run.store, 200);
  await caughtUp(run);
  expect([collector.taken.length >= 202, isRun(collector.taken)]).toEqual([true, true]);
  await run.shipper.stop();
  await run.store.close();
  expect(run.shipper.words).toMatch(/^the collector has all up to \d+; \d records are not shipped$/);
  // After a restart, the shipper continues after the last record that the collector has.
  const before = collector.taken.length;
  const next = await started(disk, collector, 2);
  await caughtUp(next);
  expect(isRun(collector.taken)).toBe(true);
  expect(collector.taken.length).toBeGreaterThan(before);
  await next.shipper.stop();
});

test("writes all records while the collector is away, retries at growing intervals, and ships them when it returns", async () => {
  const [disk, collector, waits] = [new FailingDisk(), new Collector(), [] as number[]];
  collector.plan.push(...Array<"gone">(9).fill("gone"));
  const run = await started(disk, collector, 1, waits);
  await wrote(run.store, 50);
  await caughtUp(run);
  expect(isRun(collector.taken)).toBe(true);
  expect(waits.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  await run.shipper.stop();
});

test("status states why shipping fails and how many records wait", async () => {
  const collector = new Collector();
  collector.else = "gone";
  const run = await started(new FailingDisk(), collector, 1);
  while (collector.requests === 0) await new Promise((resolve) => setImmediate(resolve));
  await wrote(run.store, 3);
  expect(run.shipper.words).toMatch(/^the collector has nothing yet; 5 records are not shipped: it hung up$/);
  await run.shipper.stop();
});

const fate = fc.constantFrom("taken" as const, "taken" as const, "lost" as const, "gone" as const);
const life = fc.record({
  records: fc.nat(90),
  plan: fc.array(fate, { maxLength: 6 }),
  ends: fc.constantFrom("clean", "power"),
});

test("the collector gets every record in order, even if requests or answers are lost or the power fails", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
      const [disk, collector] = [new FailingDisk(), new Collector()];
      let boot = 0;
      for (const { records, plan, ends } of lives) {
        boot += 1;
        collector.plan.push(...plan);
        const run = await started(disk, collector, boot);
        await wrote(run.store, records);
        if (ends === "power") disk.cutPower(() => false);
        const stopped = run.shipper.stop();
        if (ends === "clean") {
          await stopped;
          await run.store.close();
        }
      }
      collector.plan.length = 0;
      const last = await started(disk, collector, boot + 1);
      await caughtUp(last);
      const newest = Number(last.store.newest.sequence);
      const first = new Map<number, number>();
      for (const [at, sequence] of collector.taken.entries()) if (!first.has(sequence)) first.set(sequence, at);
      const arrivals = Array.from({ length: newest }, (_, at) => first.get(at + 1) ?? -1);
      expect(arrivals.every((at, index) => at >= 0 && at > (arrivals[index - 1] ?? -1))).toBe(true);
      await last.shipper.stop();
    }),
    { numRuns: 15 },
  );
});
