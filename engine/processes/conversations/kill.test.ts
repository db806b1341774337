// Tests a store whose process is killed while it stores and forgets sayings: all acknowledged changes are complete, and the
// next start finishes interrupted ones.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "./opening.ts";
import { expectValue, makeWorld } from "./testing/saying.ts";
import { bundleWriter, type Death, startWriter } from "./testing/writer.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-kill-"));
beforeAll(() => bundleWriter(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const death: fc.Arbitrary<Death> = fc.record({
  call: fc.constantFrom("acknowledged" as const, "statement" as const),
  count: fc.integer({ min: 1, max: 120 }),
});

test("a store that is killed at any statement keeps every acknowledged saying in order, and the next start continues", async () => {
  const where = mkdtempSync(join(folder, "d-"));
  let run = 0;
  const acknowledged = new Map<string, number>();
  const forgotten = new Set<string>();
  const oneRun = async (when: Death) => {
    run += 1;
    const told = await startWriter(folder, where, run.toString(16).padStart(32, "0"), when);
    for (const { name, sayings, isForgotten } of told) {
      acknowledged.set(name, sayings);
      if (isForgotten) forgotten.add(name);
    }
    const store = openStore(where, makeWorld("f".repeat(32)));
    expect([store.durable, store.moved]).toEqual([true, ""]);
    for (const [name, count] of acknowledged) {
      const read = store.read("operator", name, 0n, 1 << 20);
      if (forgotten.has(name) || !read.ok) {
        // The conversation was being forgotten when the process died, or is already forgotten, so no part of it may be
        // found.
        expect(expectValue(store.search("operator", { words: name, conversation: "", most: 50 }))).toEqual([]);
        continue;
      }
      expect(read.value.sayings.length).toBeGreaterThanOrEqual(count);
      expect(read.value.sayings.map(({ text }) => text)).toEqual(
        read.value.sayings.map((_, index) => `${name} ${index}`),
      );
      expect(expectValue(store.search("operator", { words: name, conversation: name, most: 50 })).length).toBe(
        read.value.sayings.length,
      );
    }
    store.close();
    expect(readdirSync(where).filter((name) => name.startsWith("spoiled"))).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(death, oneRun), { numRuns: 12, endOnFailure: true });
  expect(acknowledged.size).toBeGreaterThan(0);
});
