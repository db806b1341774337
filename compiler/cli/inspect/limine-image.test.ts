// Images that pass for one of Limine's: what is in them anybody may have written. Those that a build makes are in products/native.test.ts.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LIMINE_PATHS } from "../../../targets/contract.ts";
import { writeLimineIso } from "../../../targets/iso/write-limine-iso.ts";
import { said } from "../memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-limine-image-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SOON_MS = 10_000;

test("settings of nothing but empty lines are looked at once", { timeout: SOON_MS }, async () => {
  const files = [
    ...[LIMINE_PATHS.bios, LIMINE_PATHS.efi].map((path) => ({ path, bytes: Buffer.alloc(4096, 0xcc) })),
    { path: LIMINE_PATHS.settings, bytes: Buffer.alloc(64 * 1024, "\n") },
  ];
  const out = join(folder, "empty-lines.iso");
  expect(await writeLimineIso({ files, out, sourceDateEpoch: 0 })).toEqual({ ok: true });
  const { status, err } = await said(["inspect", "empty-lines.iso"], { folder });
  expect(status).toBe(1);
  expect(err).toContain("Limine is not told to load /boot/kernel by its digest");
});
