import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { renderLoaderSettings } from "./loader-settings.ts";
import type { BiosStart } from "./places.ts";
import { type IsoPlan, writeIso } from "./write-iso.ts";
import { WRITERS } from "./writer.ts";

const LOADER = join(fileURLToPath(new URL("../..", import.meta.url)), "engine/prebuilt/isolinux");
const PATH = process.env["PATH"];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-iso-"));
});

afterEach(() => {
  process.env["PATH"] = PATH;
  rmSync(folder, { recursive: true });
});

/** Two sectors that begin as a file system does. */
const FILE_SYSTEM = Buffer.concat([Buffer.from([0xeb, 0x3c, 0x90]), Buffer.alloc(4093)]);

function bios(kernel: string): BiosStart {
  return {
    kernel,
    loader: {
      binary: join(LOADER, "isolinux.bin"),
      module: join(LOADER, "ldlinux.c32"),
      hybrid: join(LOADER, "isohdpfx.bin"),
    },
    initrd: Buffer.from("the initrd"),
    kernelParameters: ["console=ttyS0", "quiet"],
  };
}

function plan(out: string, more: Partial<IsoPlan> = {}): IsoPlan {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return {
    root: { file: file("root=\\odd", "the root") },
    start: { bios: bios(file("kernel", "the kernel")), uefi: { fileSystem: FILE_SYSTEM } },
    artifacts: [
      { path: "capos/manifest.bin.sig", bytes: Buffer.from("signed") },
      { path: "capos/manifest.bin", bytes: Buffer.from("manifest") },
    ],
    out: join(folder, out),
    sourceDateEpoch: 0,
    ...more,
  };
}

async function written(out: string, more: Partial<IsoPlan> = {}): Promise<Buffer> {
  expect(await writeIso(plan(out, more))).toEqual({ ok: true });
  return readFileSync(join(folder, out));
}

/** Returns the first offset at which two images differ and the bytes around it, or `none`. */
function firstDifference(one: Buffer, two: Buffer): string {
  const at = one.findIndex((byte, index) => byte !== two[index]);
  const around = (image: Buffer): string => image.subarray(at - 8, at + 24).toString("hex");
  return at < 0 && one.length === two.length ? "none" : `${at}: ${around(one)} ${around(two)}`;
}

test("the same plan gives the same bytes, for any order of the artefacts and any time of the files", async () => {
  const one = await written("one.iso");
  const two = await written("two.iso", { artifacts: plan("x").artifacts.toReversed() });
  expect(firstDifference(one, two)).toBe("none");
  const touched = plan("touched.iso");
  for (const path of [join(folder, "kernel"), touched.root.file]) utimesSync(path, 1_000_000_000, 1_000_000_000);
  expect(await writeIso(touched)).toEqual({ ok: true });
  expect(one.equals(readFileSync(touched.out))).toBe(true);
  expect(one.equals(await written("later.iso", { sourceDateEpoch: 1_000_000_000 }))).toBe(false);
});

test("the order of inodes on this machine does not change the image", async () => {
  const [one, other] = [join(folder, "one"), join(folder, "other")];
  // The two images must be equal, because their contents are equal. For the second image, the two source files
  // exchanged their contents, so that the order of their inodes differs.
  const image = (kernel: string, root: string, out: string): Promise<Buffer> => {
    writeFileSync(kernel, "the kernel");
    writeFileSync(root, "the root");
    return written(out, { start: { bios: bios(kernel) }, root: { file: root } });
  };
  expect(firstDifference(await image(one, other, "a.iso"), await image(other, one, "b.iso"))).toBe("none");
});

test("the image has a volume name and a boot sector for disks, and contains the files under their exact names", async () => {
  const image = await written("system.iso");
  expect(image.toString("latin1", 32_808, 32_813)).toBe("CAPOS");
  expect(image.readUInt16LE(510)).toBe(0xaa55);
  expect(image.includes(Buffer.from("manifest.bin.sig", "utf16le").swap16())).toBe(true);
  const read = (path: string): string => {
    const out = join(folder, "extracted");
    rmSync(out, { force: true });
    execFileSync("xorriso", ["-no_rc", "-osirrox", "on", "-indev", join(folder, "system.iso"), "-extract", path, out], {
      stdio: "ignore",
    });
    return readFileSync(out, "utf8");
  };
  expect(read("/boot/rootfs.erofs")).toBe("the root");
  expect(read("/boot/initrd.img")).toBe("the initrd");
  expect(read("/capos/manifest.bin.sig")).toBe("signed");
  expect(read("/isolinux/isolinux.cfg")).toBe(renderLoaderSettings(["console=ttyS0", "quiet"]));
});

/** Returns the name, the first and the last sector (of 512 bytes) of each partition in the GPT. */
function partitionsOf(image: Buffer): (readonly [string, number, number])[] {
  const entries = Array.from({ length: 8 }, (_, index) => image.subarray(1024 + index * 128, 1152 + index * 128));
  return entries
    .filter((entry) => !entry.subarray(0, 16).equals(Buffer.alloc(16)))
    .map((entry) => [
      entry.toString("hex", 0, 4),
      Number(entry.readBigUInt64LE(32)),
      Number(entry.readBigUInt64LE(40)),
    ]);
}

/** Returns each entry of the boot catalogue: its platform (0 for BIOS, 0xef for UEFI), and the offset of the program that it starts. */
function startsOf(image: Buffer): (readonly [number, number])[] {
  const catalogue = image.subarray(image.readUInt32LE(17 * 2048 + 71) * 2048);
  const first = [catalogue[1] ?? -1, catalogue.readUInt32LE(32 + 8) * 2048] as const;
  const next = catalogue[64] === 0x91 ? ([[catalogue[65] ?? -1, catalogue.readUInt32LE(96 + 8) * 2048]] as const) : [];
  return [first, ...next];
}

test("UEFI finds its file system in the boot catalogue and in the partition table, with or without BIOS", async () => {
  const both = await written("both.iso");
  const alone = await written("alone.iso", { start: { uefi: { fileSystem: FILE_SYSTEM } } });
  for (const image of [both, alone]) {
    expect(image.toString("latin1", 512, 520)).toBe("EFI PART");
    const [, at = 0] = startsOf(image).find(([platform]) => platform === 0xef) ?? [];
    expect(image.subarray(at, at + FILE_SYSTEM.length).equals(FILE_SYSTEM)).toBe(true);
    const places = partitionsOf(image).map(([, first, last]) => [first * 512, (last + 1) * 512]);
    expect(places).toContainEqual([at, at + FILE_SYSTEM.length]);
  }
  expect(startsOf(both).map(([platform]) => platform)).toEqual([0, 0xef]);
  expect(startsOf(alone).map(([platform]) => platform)).toEqual([0xef]);
  expect(alone.includes("isolinux")).toBe(false);
  const biosOnly = await written("bios.iso", { start: { bios: bios(join(folder, "kernel")) } });
  expect(biosOnly.includes("EFI PART")).toBe(false);
});

test("the default writer gives the same bytes as the system's xorriso, and needs no program of the system", async () => {
  const uefi = { fileSystem: FILE_SYSTEM };
  const disk = bios(plan("x").root.file);
  for (const start of [{ bios: disk }, { uefi }, { bios: disk, uefi }]) {
    const native = await written("native.iso", { start, writer: "native" });
    process.env["PATH"] = join(folder, "nowhere");
    expect(firstDifference(await written("ours.iso", { start }), native)).toBe("none");
    process.env["PATH"] = PATH;
  }
});

test("progress is reported while the image is written", async () => {
  const told: number[] = [];
  writeFileSync(join(folder, "large"), Buffer.alloc(3_000_000));
  await written("large.iso", {
    root: { file: join(folder, "large") },
    progress: (hundredths) => told.push(hundredths),
  });
  expect(told.length).toBeGreaterThan(10);
  expect(told).toEqual(told.toSorted((left, right) => left - right));
});

test("a missing xorriso is returned as a reason that names its package", async () => {
  process.env["PATH"] = join(folder, "nowhere");
  const reason = "xorriso is not installed (Debian package xorriso)";
  expect(await writeIso(plan("none.iso", { writer: "native" }))).toEqual({ ok: false, reason });
});

test("after a failure the old image is unchanged, and no temporary file remains", async () => {
  const before = await written("kept.iso");
  for (const writer of WRITERS) {
    const failed = await writeIso(plan("kept.iso", { start: { bios: bios(join(folder, "gone")) }, writer }));
    expect(failed).toEqual({ ok: false, reason: expect.stringMatching(/: FAILURE : .*gone/) });
  }
  expect(readFileSync(join(folder, "kept.iso")).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

test("the loader neither waits nor shows a prompt", () => {
  const settings = renderLoaderSettings(["quiet"]);
  expect(settings).toContain("PROMPT 0\n");
  expect(settings).toContain("NOESCAPE 1\n");
  expect(settings).toContain("  APPEND quiet\n");
  expect(existsSync(LOADER)).toBe(true);
});
