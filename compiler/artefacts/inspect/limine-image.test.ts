// Tests `capc inspect` with an image that boots with Limine, but was not built by `capc build`.
// products/native.test.ts tests the images of `capc build`.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LIMINE_PATHS } from "../../../targets/contract/artifact.ts";
import { writeLimineIso } from "../../../targets/iso/write-limine-iso.ts";
import { runCommand } from "../../cli/memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-limine-image-"));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Maximum processor time in seconds to inspect the image. The time in which xorriso writes the image does not count.
 */
const MOST_SECONDS = 10;

test("`capc inspect` reads Limine settings that have only empty lines in bounded time, and reports the missing digest", async () => {
  const files = [
    ...[LIMINE_PATHS.bios, LIMINE_PATHS.efi].map((path) => ({ path, bytes: Buffer.alloc(4096, 0xcc) })),
    { path: LIMINE_PATHS.settings, bytes: Buffer.alloc(64 * 1024, "\n") },
  ];
  const out = join(folder, "empty-lines.iso");
  expect(await writeLimineIso({ files, out, sourceDateEpoch: 0 })).toEqual({ ok: true });
  const before = process.cpuUsage();
  const { status, err } = await runCommand(["inspect", "empty-lines.iso"], { folder });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(MOST_SECONDS);
  expect(status).toBe(1);
  expect(err).toContain("Limine is not told to load /boot/kernel by its digest");
});
