import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyFileSystem, keptFileSystem, packed, unpacked } from "./file-system.ts";

const env = { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin`, LC_ALL: "C" };

test("the committed file system equals the output of mke2fs, if mke2fs has the recorded version", () => {
  const made = emptyFileSystem();
  if ("reason" in made) throw new Error(made.reason);
  const version = spawnSync("mke2fs", ["-V"], { env, encoding: "utf8" }).stderr;
  // Another version of mke2fs may write other bytes, so its output is not compared. The next test checks the committed
  // file system with e2fsck, whatever the version is.
  expect(version.startsWith("mke2fs 1.47.0 ") ? packed(made.bytes).equals(keptFileSystem()) : true).toBe(true);
});

test("e2fsck accepts the committed file system, which has no files except the one of its project quota", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-ext4-"));
  const image = join(folder, "image");
  writeFileSync(image, unpacked(keptFileSystem()));
  expect(execFileSync("e2fsck", ["-fn", image], { env, encoding: "utf8" })).toContain("12/2048 files");
  rmSync(folder, { recursive: true });
});

test("unpacking a packed image returns the same image", () => {
  const piece = fc.tuple(fc.nat(16 * 1024 * 1024 - 100), fc.uint8Array({ minLength: 1, maxLength: 99 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const image = Buffer.alloc(16 * 1024 * 1024);
      for (const [at, bytes] of pieces) image.set(bytes, at);
      expect(unpacked(packed(image)).equals(image)).toBe(true);
    }),
    { numRuns: 3 },
  );
});
