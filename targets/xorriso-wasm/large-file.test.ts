// Tests a file whose size exceeds 32 bits, for `make test-images`. Each of the two writers takes 4.6 GB of disk space;
// together they take 40 s of CPU time.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("xorriso-program.mjs", import.meta.url));
/**
 * Folder for the files of this test. It is on the disk of the checkout, because a temporary folder may be in memory.
 */
const BUILT = fileURLToPath(new URL("../../build/test", import.meta.url));
const SIZE = 4_600_000_000;

let folder: string;
beforeAll(() => {
  mkdirSync(BUILT, { recursive: true });
  folder = mkdtempSync(join(BUILT, "large-"));
  mkdirSync(join(folder, "tree"));
  // The file is sparse, with data before and after its hole.
  writeFileSync(join(folder, "tree/large"), "first");
  truncateSync(join(folder, "tree/large"), SIZE - 4);
  writeFileSync(join(folder, "tree/large"), "last", { flag: "a" });
  writeFileSync(join(folder, "tree/next"), "what lies behind it");
});
afterAll(() => rmSync(folder, { recursive: true }));

async function digestOfImage(program: string, ...first: readonly string[]): Promise<string> {
  const out = join(folder, "image.iso");
  const words = [...first, "-no_rc", "-as", "mkisofs", "-iso-level", "3", "-r", "-J", "-o", out, join(folder, "tree")];
  const env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "UTC", SOURCE_DATE_EPOCH: "1000000000" };
  const { status, stderr } = spawnSync(program, words, { env, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(statSync(out).size).toBeGreaterThan(SIZE);
  const hash = createHash("sha256");
  await pipeline(createReadStream(out, { highWaterMark: 1 << 20 }), hash);
  rmSync(out);
  return hash.digest("hex");
}

test("for a file above 4 GiB, the committed program and the system's xorriso give the same image", async () => {
  expect(await digestOfImage(process.execPath, PROGRAM)).toBe(await digestOfImage("xorriso"));
}, 600_000);
