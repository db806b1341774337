// Tests the layout of an image with independent readers: the system's xorriso, and our own readers.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listIso } from "../../compiler/artefacts/inspect/iso-reader.ts";
import { type Artifact, IMAGE_PATHS, LIMINE_PATHS } from "../contract/artifact.ts";
import { readRecords } from "./records.ts";
import { type LimineIsoPlan, writeLimineIso } from "./write-limine-iso.ts";

/** Two blocks, of which the first begins with a jump and some code. */
const DISC_START = Buffer.concat([Buffer.from([0xeb, 0x58, 0x90]), Buffer.alloc(4093, 0xcc)]);
const VOLUME = Buffer.alloc(64 * 1024, 3);

const FILES: readonly (Artifact & { readonly bytes: Uint8Array })[] = [
  { path: LIMINE_PATHS.kernel, bytes: Buffer.from("the kernel") },
  { path: LIMINE_PATHS.settings, bytes: Buffer.from("timeout: 0\n") },
  { path: LIMINE_PATHS.bios, bytes: DISC_START },
  { path: LIMINE_PATHS.biosRest, bytes: Buffer.from("the rest") },
  { path: LIMINE_PATHS.efi, bytes: VOLUME },
  { path: LIMINE_PATHS.efiProgram, bytes: Buffer.from("MZ") },
  { path: IMAGE_PATHS.manifest, bytes: Buffer.from("the manifest") },
];

let folder: string;
let image: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-limine-iso-"));
  image = await written("one.iso");
});
afterAll(() => rmSync(folder, { recursive: true }));

async function written(name: string, more: Partial<LimineIsoPlan> = {}): Promise<Buffer> {
  const out = join(folder, name);
  expect(await writeLimineIso({ files: FILES, out, sourceDateEpoch: 0, ...more })).toEqual({ ok: true });
  return readFileSync(out);
}

function xorriso(...words: string[]): string {
  const all = ["-no_rc", "-osirrox", "on", "-indev", join(folder, "one.iso"), ...words];
  return execFileSync("xorriso", all, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

test("the boot catalogue has an entry for BIOS and an entry for UEFI, each with Limine's own file", () => {
  const report = xorriso("-report_el_torito", "plain");
  expect(report).toMatch(/^El Torito boot img : +1 +BIOS +y +none +0x0000 +0x00 +4 +\d+$/m);
  expect(report).toMatch(/^El Torito boot img : +2 +UEFI +y +none +0x0000 +0x00 +128 +\d+$/m);
  expect(report).toContain("El Torito img path :   1  /boot/limine/limine-bios-cd.bin\n");
  expect(report).toContain("El Torito img opts :   1  boot-info-table");
  expect(report).toContain("El Torito img path :   2  /boot/limine/limine-uefi-cd.bin\n");
});

test("the partition table has an EFI system partition, and the boot sector has no BIOS code", () => {
  const report = xorriso("-report_system_area", "plain");
  expect(report).toMatch(/^System area summary: MBR protective-msdos-label/m);
  expect(report).toMatch(/^GPT partition path : +\d+ +\/boot\/limine\/limine-uefi-cd\.bin$/m);
  // This GUID is the type of an EFI system partition, in the byte order of the disk.
  expect(report).toMatch(/^GPT type GUID +: +\d+ +28732ac11ff8d211ba4b00a0c93ec93b$/m);
  expect(image.subarray(0, 440).every((byte) => byte === 0)).toBe(true);
});

test("every file is unchanged, except for the boot information table in Limine's BIOS file", () => {
  for (const { path, bytes } of FILES) {
    const out = join(folder, "extracted");
    rmSync(out, { force: true });
    xorriso("-extract", path, out);
    const found = readFileSync(out);
    if (path !== LIMINE_PATHS.bios) expect(found.equals(bytes), path).toBe(true);
    else {
      expect([found.subarray(0, 8), found.subarray(64)]).toEqual([bytes.subarray(0, 8), bytes.subarray(64)]);
      // The boot information table contains the block of the volume descriptor, the block of the file, and the file's length.
      const [volume, at, length] = [8, 12, 16].map((offset) => found.readUInt32LE(offset));
      expect([volume, length]).toEqual([16, bytes.length]);
      expect(
        image
          .subarray((at ?? 0) * 2048)
          .subarray(64, bytes.length)
          .equals(bytes.subarray(64)),
      ).toBe(true);
    }
  }
});

test("both directory trees have the same files with their exact names, and the volume name differs from the name of other images of capc", () => {
  const readAt = (at: number, length: number): Uint8Array => image.subarray(at, at + length);
  const listing = listIso(readAt, image.length);
  const paths = [...FILES.map(({ path }) => path), "/boot/limine/boot.cat"].sort();
  expect(listing).toMatchObject({ ok: true, volume: "CAPOS_UPSTREAM" });
  expect(listing.ok && listing.files.map(({ path }) => path)).toEqual(paths);
  expect([...(readRecords(readAt)?.named.keys() ?? [])].sort()).toEqual(paths);
});

test("the same files give the same bytes in any order, also with the system's xorriso; another time gives other bytes", async () => {
  const again = await written("again.iso", { files: FILES.toReversed() });
  expect(again.equals(image)).toBe(true);
  expect((await written("native.iso", { writer: "native" })).equals(image)).toBe(true);
  expect((await written("later.iso", { sourceDateEpoch: 1_000_000_000 })).equals(image)).toBe(false);
});

test("missing files of Limine are reported, and no image is written", async () => {
  const files = FILES.filter(({ path }) => path !== LIMINE_PATHS.bios);
  const made = await writeLimineIso({ files, out: join(folder, "none.iso"), sourceDateEpoch: 0 });
  expect(made).toEqual({ ok: false, reason: expect.stringContaining("limine-bios-cd.bin") });
});
