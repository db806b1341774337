import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildEsp } from "../../engine/image/uefi/esp.ts";
import { assembleUki } from "../../engine/image/uefi/uki.ts";
import { writeQcow2 } from "../../targets/formats/qcow2.ts";
import type { Start } from "../../targets/iso/places.ts";
import { writeIso } from "../../targets/iso/write-iso.ts";
import { convertToFormats, FORMATS, readFormats } from "../artefacts/products/formats.ts";
import { openImage } from "./image-file.ts";

const PREBUILT = new URL("../../engine/prebuilt/", import.meta.url);
const LOADER = new URL("isolinux/", PREBUILT).pathname;

let folder: string;
let program: Buffer;
let start: Start;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-image-"));
  const kernel = Buffer.alloc(1024);
  kernel.write("HdrS", 0x202, "latin1");
  kernel.writeUInt16LE(0x20, 0x20e);
  kernel.write("6.1.0-cloud-amd64 (somebody)", 0x220, "latin1");
  writeFileSync(join(folder, "kernel"), kernel);
  writeFileSync(join(folder, "root"), "the root");
  const parts = { kernel, initrd: Buffer.from("initrd"), kernelParameters: ["quiet"], systemId: "lab", version: "1" };
  const made = assembleUki({ stub: readFileSync(new URL("uefi/linuxx64.efi.stub", PREBUILT)), ...parts });
  program = made.ok ? made.value : Buffer.alloc(0);
  const esp = buildEsp(program);
  start = {
    bios: {
      kernel: join(folder, "kernel"),
      loader: { binary: `${LOADER}isolinux.bin`, module: `${LOADER}ldlinux.c32`, hybrid: `${LOADER}isohdpfx.bin` },
      initrd: parts.initrd,
      kernelParameters: parts.kernelParameters,
    },
    uefi: { fileSystem: esp.ok ? esp.value : Buffer.alloc(0) },
  };
  await write("system.iso", start);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function write(name: string, how: Start): Promise<void> {
  const plan = { root: { file: join(folder, "root") }, start: how, artifacts: [], sourceDateEpoch: 0 };
  expect(await writeIso({ ...plan, out: join(folder, name) })).toEqual({ ok: true });
}

const BOTH = { bios: true, uefi: true, kernel: "6.1.0-cloud-amd64" };

test("the start methods and the kernel version are read from an ISO, a qcow2 image, and an image without BIOS", async () => {
  const iso = join(folder, "system.iso");
  expect(openImage(iso)).toMatchObject({ ok: true, value: { path: iso, format: "raw", starts: BOTH } });
  const qcow2 = join(folder, "system.qcow2");
  writeQcow2({ file: iso, size: readFileSync(iso).length }, qcow2);
  expect(openImage(qcow2)).toMatchObject({ ok: true, value: { path: qcow2, format: "qcow2", starts: BOTH } });
  await write("uefi.iso", { uefi: start.uefi ?? { fileSystem: Buffer.alloc(0) } });
  const alone = openImage(join(folder, "uefi.iso"));
  expect(alone).toMatchObject({ ok: true, value: { starts: { ...BOTH, bios: false } } });
});

test("a UEFI program is started with the image beside it as medium, and refused without such an image", () => {
  const path = join(folder, "system.efi");
  writeFileSync(path, program);
  expect(openImage(path)).toMatchObject({
    ok: true,
    value: { path: join(folder, "system.iso"), format: "raw", program, starts: { ...BOTH, bios: false } },
  });
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "system.efi"), program);
  expect(openImage(join(elsewhere, "system.efi"))).toMatchObject({
    ok: false,
    reason: expect.stringContaining("needs its medium beside it"),
  });
});

test.each([
  ["a file that is not an image", "neither", { ok: true, value: { starts: undefined } }],
  ["an unsupported qcow2 image", "QFI\u00fb....", { ok: false, reason: expect.stringContaining("another kind") }],
])("%s is recognized by its first bytes", (_, text, wanted) => {
  writeFileSync(join(folder, "other"), Buffer.from(text, "latin1"));
  expect(openImage(join(folder, "other"))).toMatchObject(wanted);
});

test("the list of formats always includes the ISO, and an unknown format is refused with the names of all known formats", () => {
  expect(readFormats(undefined)).toEqual({ ok: true, value: new Set(["iso"]) });
  expect(readFormats("qcow2, raw")).toEqual({ ok: true, value: new Set(["iso", "qcow2", "raw"]) });
  const reason = `'vhd' is no format; there are ${FORMATS.join(", ")}`;
  expect(readFormats("vhd")).toEqual({ ok: false, reason });
});

test("each format contains the same disk, and a UEFI program is made only if the page has UEFI firmware", async () => {
  const scratch = mkdtempSync(join(folder, "scratch-"));
  const finished = { iso: join(folder, "system.iso"), systemId: "lab", version: "1", sourceDateEpoch: 0, scratch };
  const made = await convertToFormats(new Set(FORMATS), { ...finished, start });
  const paths = !made.ok ? made.reason : made.value.map(({ path }) => path.replace(/sha256\/.*/, "sha256/…"));
  const blob = "system.oci/blobs/sha256/…";
  expect(paths).toEqual([
    "system.raw",
    "system.qcow2",
    "system.efi",
    "system.oci/oci-layout",
    "system.oci/index.json",
    ...[blob, blob, blob],
  ]);
  expect(readFileSync(join(scratch, "image.raw")).equals(readFileSync(finished.iso))).toBe(true);
  const biosOnly = { ...finished, start: { bios: start.bios } as Start };
  const refused = await convertToFormats(new Set(["efi"]), biosOnly);
  expect(refused).toMatchObject({ reason: expect.stringContaining("bios alone") });
});
