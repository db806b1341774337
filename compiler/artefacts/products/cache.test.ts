import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pruneRoots } from "./cache.ts";

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "capc-cache-"));
  for (let age = 1; age <= 6; age++) {
    const root = join(cache, `rootfs-${age}.erofs`);
    writeFileSync(root, "");
    writeFileSync(`${root}.json`, "");
    utimesSync(root, 1_000_000 - age, 1_000_000 - age);
  }
});
afterEach(() => rmSync(cache, { recursive: true }));

test("the cache keeps the root file system in use and those that were used last, each with its digests", () => {
  pruneRoots(cache, join(cache, "rootfs-6.erofs"));
  const kept = [1, 2, 3, 6].flatMap((age) => [`rootfs-${age}.erofs`, `rootfs-${age}.erofs.json`]);
  expect(readdirSync(cache).sort()).toEqual(kept);
});

test("files that are not root file systems are not removed", () => {
  writeFileSync(join(cache, "other"), "");
  pruneRoots(cache, join(cache, "rootfs-1.erofs"));
  expect(readdirSync(cache)).toContain("other");
});
