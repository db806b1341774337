// Tests power cuts during a change: by then, any part of the unsynced writes may have reached the disk. The next start
// finds everything that was acknowledged earlier, and never a part of the change. If the change was acknowledged before
// the cut, the start finds the whole change.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "./opening.ts";
import type { Store } from "./store.ts";
import { type Cut, leftBy } from "./testing/cut-file.ts";
import { expectValue, makeSaying, makeWorld } from "./testing/saying.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-power-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Returns everything readable in a store, and everything that its index finds. */
function contents(store: Store) {
  const { conversations } = expectValue(store.list("operator", 100));
  return conversations.map(({ conversation: name, title, sayings }) => ({
    name,
    title,
    sayings,
    texts: expectValue(store.read("operator", name, 0n, 1 << 20)).sayings.map(({ text }) => text),
    found: expectValue(store.search("operator", { words: "word", conversation: name, most: 50 })).length,
  }));
}

/** Random changes, each in one transaction. A change with a long text adds pages to the file. */
const change = fc.record({
  kind: fc.constantFrom("append" as const, "fork" as const, "begin" as const),
  length: fc.constantFrom(1, 30, 4000),
});

function carryOut(store: Store, { kind, length }: { kind: "append" | "begin" | "fork"; length: number }): void {
  if (kind === "append")
    expectValue(store.append("operator", "a1", [makeSaying("word ".repeat(length)), makeSaying("more")]));
  if (kind === "fork") expectValue(store.fork("operator", "a1", 0n));
  if (kind === "begin") expectValue(store.begin("operator"));
}

const CUTS: readonly Cut["at"][] = ["journal", "file", "emptied", "done"];

test("after a power cut at any write, the next start finds the whole change or none of it", async () => {
  const where = join(folder, "whole");
  mkdirSync(where);
  const store = openStore(where, makeWorld());
  const name = expectValue(store.begin("operator"));
  expectValue(store.open("operator", name));
  expectValue(store.append("operator", name, [makeSaying("word")]));
  const read = () => readFileSync(join(where, "conversations.db"));
  let starts = 0;
  const judged = (changed: Parameters<typeof carryOut>[1], chances: readonly number[]) => {
    const [was, earlier] = [read(), contents(store)];
    carryOut(store, changed);
    const [is, later] = [read(), contents(store)];
    let next = 0;
    const chance = () => chances[next++ % chances.length] ?? 0;
    for (const at of CUTS) {
      const left = leftBy(was, is, { at, chance });
      starts += 1;
      const cut = join(folder, String(starts));
      mkdirSync(cut);
      writeFileSync(join(cut, "conversations.db"), left.file);
      writeFileSync(join(cut, "conversations.db-journal"), left.journal);
      const again = openStore(cut, makeWorld("1".repeat(32)));
      expect([again.durable, again.moved]).toEqual([true, ""]);
      expect(contents(again)).toEqual(at === "done" ? later : earlier);
      // The reopened store accepts further sayings.
      expectValue(again.open("operator", name));
      expect(again.append("operator", name, [makeSaying("word after")]).ok).toBe(true);
      again.close();
      rmSync(cut, { recursive: true });
    }
  };
  const chances = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 7, maxLength: 40 });
  fc.assert(fc.property(change, chances, judged), { numRuns: 25, endOnFailure: true });
  store.close();
  expect(starts).toBeGreaterThanOrEqual(100);
});

test("does not trust a file whose repair needs a journal that was cut", () => {
  const where = join(folder, "whole");
  mkdirSync(where);
  const store = openStore(where, makeWorld());
  expectValue(store.open("operator", expectValue(store.begin("operator"))));
  const was = readFileSync(join(where, "conversations.db"));
  expectValue(store.append("operator", "a1", [makeSaying("word ".repeat(9000))]));
  const is = readFileSync(join(where, "conversations.db"));
  store.close();
  let turn = 0;
  const { file } = leftBy(was, is, { at: "file", chance: () => (turn++ % 2 === 0 ? 0.1 : 0.9) });
  writeFileSync(join(where, "conversations.db"), file);
  const again = openStore(where, makeWorld("1".repeat(32)));
  expect(again.moved).not.toBe("");
  again.close();
});
