// Tests file systems that were not unmounted cleanly. The program debugfs writes a transaction into the journal, but does not write the
// transaction's blocks to their places.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Ext4 } from "./ext4.ts";
import { replay } from "./ext4-journal.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-ext4-"));
afterAll(() => rmSync(folder, { recursive: true }));
const BLOCK = 4096;
const path = (name: string) => join(folder, name);

function run(program: string, words: readonly string[], input = ""): void {
  execFileSync(program, words, { input, stdio: ["pipe", "ignore", "ignore"] });
}

/** Runs commands of debugfs on an image. */
function debug(image: string, ...commands: readonly string[]): void {
  run("debugfs", ["-w", "-f", "-", image], `${commands.join("\n")}\n`);
}

/** Returns the numbers of the blocks in which two images differ. */
function changed(before: Buffer, after: Buffer): readonly number[] {
  const numbers = Array.from({ length: before.length / BLOCK }, (_, number) => number);
  const at = (bytes: Buffer, number: number) => bytes.subarray(number * BLOCK, (number + 1) * BLOCK);
  return numbers.filter((number) => !at(before, number).equals(at(after, number)));
}

/**
 * Copies the image `before` and adds transactions to its journal. Each transaction writes its blocks with the content of the image `after`.
 */
function dirty(
  name: string,
  before: string,
  transactions: readonly (readonly [after: string, blocks: readonly number[]])[],
  words = "",
): Buffer {
  copyFileSync(path(before), path(name));
  for (const [index, [after, blocks]] of transactions.entries()) {
    const bytes = readFileSync(path(after));
    const contents = Buffer.concat(blocks.map((number) => bytes.subarray(number * BLOCK, (number + 1) * BLOCK)));
    writeFileSync(path(`${name}-${index}`), contents);
  }
  const writes = transactions.map(([, blocks], index) => `jw -b ${blocks.join(",")} ${path(`${name}-${index}`)}`);
  debug(path(name), `jo ${words}`, ...writes, "jc");
  return readFileSync(path(name));
}

const needsRecovery = (bytes: Buffer) => (bytes.readUInt32LE(1024 + 96) & 4) !== 0;
const fileIn = (bytes: Buffer, name: string) => {
  const opened = Ext4.open((at, length) => bytes.subarray(at, at + length));
  return opened.ok ? opened.value.readFile("notes", name, 1 << 20) : opened;
};
const text = (bytes: Buffer, name: string) => {
  const read = fileIn(bytes, name);
  return read.ok ? read.value?.toString("utf8") : read.reason;
};

let meant: readonly number[] = [];

beforeAll(() => {
  writeFileSync(path("one"), "one");
  writeFileSync(path("two"), "two");
  writeFileSync(path("before"), "");
  truncateSync(path("before"), 16 * 1024 * 1024);
  run("mke2fs", ["-q", "-F", "-t", "ext4", "-b", `${BLOCK}`, path("before")]);
  debug(path("before"), "mkdir notes", "cd notes", `write ${path("one")} one`);
  copyFileSync(path("before"), path("after"));
  debug(path("after"), "cd notes", `write ${path("two")} two`);
  meant = changed(readFileSync(path("before")), readFileSync(path("after")));
  expect(meant.length).toBeGreaterThan(2);
});

test.each([
  ["in the form of mke2fs", ""],
  ["with checksums of version 3", "-c -v 3"],
  ["with checksums of version 2", "-c -v 2"],
])("a journal %s is replayed as e2fsck replays it, and the image stays unchanged", (what, words) => {
  const name = `dirty-${what.length}-${words.length}-${words.at(-1) ?? ""}`;
  const bytes = dirty(name, "before", [["after", meant]], words);
  expect(needsRecovery(bytes)).toBe(true);
  const was = Buffer.from(bytes);
  expect([text(bytes, "one"), text(bytes, "two")]).toEqual(["one", "two"]);
  expect(bytes.equals(was)).toBe(true);
  try {
    run("e2fsck", ["-fy", path(name)]);
  } catch {
    // The exit status is not 0 if e2fsck repaired anything.
  }
  const mended = readFileSync(path(name));
  expect([needsRecovery(mended), text(mended, "two")]).toEqual([false, "two"]);
});

test("of two transactions that write one block, the later one is replayed", () => {
  const bytes = dirty("twice", "before", [
    ["after", meant],
    ["before", meant],
  ]);
  expect([text(bytes, "one"), text(bytes, "two")]).toEqual(["one", undefined]);
});

test("a block that a later transaction revoked is not replayed", () => {
  dirty("revoked", "before", [["after", meant]]);
  debug(path("revoked"), "jo", `jw -b ${meant.join(",")} ${path("revoked-0")}`, `jw -r ${meant.join(",")}`, "jc");
  const bytes = readFileSync(path("revoked"));
  expect([needsRecovery(bytes), text(bytes, "two")]).toEqual([true, undefined]);
});

test("an uncommitted transaction is not replayed", () => {
  const bytes = dirty("cut", "before", [["after", meant]]);
  // The first bytes of each commit block in the journal. A transaction ends with such a block; without it, the
  // transaction is not committed.
  const commit = Buffer.from("c03b399800000002", "hex");
  for (let at = bytes.indexOf(commit); at >= 0; at = bytes.indexOf(commit, at + 1))
    if (at % BLOCK === 0) bytes.fill(0, at, at + 12);
  expect(needsRecovery(bytes)).toBe(true);
  expect([text(bytes, "one"), text(bytes, "two")]).toEqual(["one", undefined]);
});

test("a journal with unsupported features, or with contradictory fields, is refused with the reason", () => {
  const journal = (...words: readonly number[]) => {
    const bytes = Buffer.alloc(8 * BLOCK);
    for (const [index, word] of [0xc03b3998, 4, 0, BLOCK, 8, 1, 1, 0, 0, 0, 0].entries()) {
      bytes.writeUInt32BE(words[index] ?? word, index * 4);
    }
    const read = replay(bytes, BLOCK);
    return read.ok ? read.value.size : read.reason;
  };
  expect(journal()).toBe(0);
  expect(journal(0)).toBe("its journal is none");
  expect(journal(0xc03b3998, 4, 0, BLOCK, 8, 1, 1, 0, 0, 0, 0x20)).toBe(
    "its journal has features that are not read here (0x20)",
  );
  for (const [blocks, first, start] of [
    [9, 1, 1],
    [8, 0, 1],
    [8, 8, 8],
    [8, 2, 1],
    [8, 1, 8],
  ] as const) {
    expect(journal(0xc03b3998, 4, 0, BLOCK, blocks, first, 1, start)).toBe("its journal contradicts itself");
  }
});

test("property: replaying any journal does not throw, and gives at most as many blocks as the journal has", () => {
  const bytes = dirty("law", "before", [["after", meant]]);
  const magic = Buffer.from("c03b399800000004", "hex");
  const start = bytes.indexOf(magic);
  const sound = bytes.subarray(start, start + 64 * BLOCK);
  const change = fc.tuple(fc.oneof(fc.nat(64), fc.nat(3 * BLOCK), fc.nat(sound.length - 1)), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const spoiled = Buffer.from(sound);
      spoiled.writeUInt32BE(64, 16);
      for (const [at, to] of changes) spoiled[at] = to;
      const read = replay(spoiled, BLOCK);
      if (read.ok) expect(read.value.size).toBeLessThanOrEqual(64);
    }),
    { numRuns: 300 },
  );
});
