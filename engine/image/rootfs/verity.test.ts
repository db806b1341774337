import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Verity } from "../../lib/wire/generated/manifest.ts";
import { appendTree, BLOCK, computeSizeWithTree, hashTree } from "./verity.ts";

const DIGESTS_A_BLOCK = 128;
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-verity-"));
  file = join(folder, "artefact");
});
afterEach(() => rmSync(folder, { recursive: true }));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Returns whether Debian's own tool verifies the file, in the same form that the kernel reads. */
function verified({ contentBytes, salt, rootHash }: Verity): boolean {
  const blocks = Math.ceil(Number(contentBytes) / BLOCK);
  const form = ["--no-superblock", "--format=1", "--hash=sha256", "--data-block-size=4096", "--hash-block-size=4096"];
  const place = [`--data-blocks=${blocks}`, `--hash-offset=${blocks * BLOCK}`, `--salt=${hex(salt)}`];
  const ran = spawnSync("veritysetup", ["verify", ...form, ...place, file, file, hex(rootHash)], { encoding: "utf8" });
  if (ran.error !== undefined) throw ran.error;
  return ran.status === 0;
}

/** Bytes that do not repeat from block to block. */
function content(size: number): Buffer {
  const bytes = Buffer.alloc(size, 0x5a);
  for (let at = 0; at + 4 <= size; at += BLOCK) bytes.writeUInt32LE(at, at);
  return bytes;
}

function flip(at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

test.each([
  ["one block", BLOCK],
  ["less than a block", 5],
  ["a level that is just full", DIGESTS_A_BLOCK * BLOCK],
  ["one block more than that", DIGESTS_A_BLOCK * BLOCK + 1],
  ["three levels", 2 * DIGESTS_A_BLOCK * DIGESTS_A_BLOCK * BLOCK + BLOCK],
])("Debian's veritysetup accepts a tree over %s, and refuses the file if one byte changes", (_, size) => {
  writeFileSync(file, content(size));
  const verity = appendTree(file, "root");
  expect(verity.contentBytes).toBe(BigInt(size));
  expect(statSync(file).size).toBe(computeSizeWithTree(size));
  expect(verified(verity)).toBe(true);
  if (size > 1024 * BLOCK) return;
  for (const at of [0, size - 1, ...(size > BLOCK ? [statSync(file).size - BLOCK] : [])]) {
    flip(at);
    expect(verified(verity)).toBe(false);
    flip(at);
  }
});

test("a large artefact, such as weights, is hashed without loading it into memory", () => {
  writeFileSync(file, content(BLOCK));
  // The file is sparse: its zeros take no space on the disk, and are hashed like other bytes.
  truncateSync(file, 300 * 1024 * 1024);
  appendFileSync(file, "the end");
  const before = process.memoryUsage().rss;
  const verity = appendTree(file, "model.local");
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  expect(verified(verity)).toBe(true);
});

test("the same name and content give the same bytes, and another name gives another tree", () => {
  const made = (name: string): { readonly verity: Verity; readonly bytes: Buffer } => {
    writeFileSync(file, content(10 * BLOCK));
    return { verity: appendTree(file, name), bytes: readFileSync(file) };
  };
  const one = made("root");
  expect(made("root")).toEqual(one);
  expect(made("other").verity.rootHash).not.toEqual(one.verity.rootHash);
});

test("property: the root hash matches the naive definition, whatever the content", () => {
  const sha256 = (...parts: readonly Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const naive = (bytes: Uint8Array, salt: Uint8Array): Buffer => {
    const blocks = Array.from({ length: Math.ceil(bytes.length / BLOCK) }, (_, index) =>
      Buffer.concat([bytes.subarray(index * BLOCK, (index + 1) * BLOCK)], BLOCK),
    );
    const found = Buffer.concat(blocks.map((block) => sha256(salt, block)));
    return found.length === 32 ? found : naive(found, salt);
  };
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: BLOCK }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(pieces, fc.uint8Array({ maxLength: 64 }), (some, salt) => {
      const bytes = Buffer.concat(some);
      const readAt = (offset: number, length: number) =>
        Buffer.concat([bytes.subarray(offset, offset + length)], length);
      expect(hex(hashTree(readAt, bytes.length, salt).rootHash)).toBe(hex(naive(bytes, salt)));
    }),
    { numRuns: 30 },
  );
});
