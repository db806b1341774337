import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildEsp } from "../../../../engine/image/uefi/esp.ts";
import { appendSections } from "../../../../engine/image/uefi/pe.ts";
import { listIso } from "../../../artefacts/inspect/iso-reader.ts";
import { planFlips } from "./flips.ts";
import { listStructures } from "./structures.ts";

test("every byte of a small structure is changed; in a large structure, the first, the last and some other bytes are changed", () => {
  const anySize = fc.integer({ min: 3, max: 1_000_000 });
  fc.assert(
    fc.property(anySize, fc.integer({ min: 3, max: 64 }), fc.nat(1_000_000), (size, most, offset) => {
      const places = planFlips([{ name: "one", offset, size }], () => most).map((flip) => flip.offset - offset);
      expect(places).toHaveLength(Math.min(size, most));
      expect([places[0], places.at(-1)]).toEqual([0, size - 1]);
      for (const [index, place] of places.slice(1).entries()) expect(place).toBeGreaterThan(places[index] ?? 0);
    }),
  );
});

test("a change flips one bit, which is the same in every run", () => {
  const structures = [{ name: "one", offset: 4096, size: 10_000 }];
  const flips = planFlips(structures, () => 512);
  expect(flips.every(({ mask }) => [1, 2, 4, 8, 16, 32, 64, 128].includes(mask))).toBe(true);
  expect(new Set(flips.map(({ mask }) => mask)).size).toBe(8);
  expect(planFlips(structures, () => 512)).toEqual(flips);
});

/**
 * Returns an image with two volume descriptors, a folder with one file of five bytes, and a partition table at both
 * ends.
 */
function smallImage(): Buffer {
  const image = Buffer.alloc(40 * 2048);
  for (const [sector, kind] of [
    [16, 1],
    [17, 255],
  ] as const)
    image.set([kind, ...Buffer.from("CD001")], sector * 2048);
  const record = (at: number, sector: number, size: number, flags: number, name: string) => {
    image[at] = 33 + name.length;
    image.writeUInt32LE(sector, at + 2);
    image.writeUInt32LE(size, at + 10);
    image[at + 25] = flags;
    image[at + 32] = name.length;
    image.write(name, at + 33, "latin1");
  };
  record(16 * 2048 + 156, 20, 2048, 2, "\u0000");
  record(20 * 2048, 22, 5, 0, "file");
  for (const [at, entries] of [
    [512, 2],
    [image.length - 512, image.length / 512 - 33],
  ] as const) {
    image.write("EFI PART", at, "latin1");
    image.writeBigUInt64LE(BigInt(entries), at + 72);
    image.writeUInt32LE(128, at + 80);
    image.writeUInt32LE(128, at + 84);
  }
  return image;
}

test("every byte of an image is in exactly one structure", () => {
  const image = smallImage();
  const readAt = (offset: number, length: number) => image.subarray(offset, offset + length);
  expect(listIso(readAt, image.length)).toMatchObject({ ok: true });
  const structures = listStructures(readAt, image.length, new Map());
  let at = 0;
  for (const { offset, size } of structures) {
    expect(offset).toBe(at);
    at += size;
  }
  expect(at).toBe(image.length);
  expect(structures.map(({ name }) => name)).toEqual([
    "master boot record",
    "partition table",
    "partition table: entries",
    "padding",
    "primary volume descriptor",
    "terminator of the volume descriptors",
    "folders and path tables",
    "/file",
    "padding",
    "partition table, second copy: entries",
    "partition table, second copy",
  ]);
});

test("a file with a hash tree is two structures: its content and the tree", () => {
  const image = smallImage();
  const structures = listStructures(
    (offset, length) => image.subarray(offset, offset + length),
    image.length,
    new Map([["/file", 3]]),
  );
  expect(structures.filter(({ name }) => name.startsWith("/file"))).toEqual([
    { name: "/file", offset: 22 * 2048, size: 3 },
    { name: "/file: its hash tree", offset: 22 * 2048 + 3, size: 2 },
  ]);
});

test("the UEFI image is split into the file system, the program and each section", () => {
  const stub = readFileSync(new URL("../../../../engine/prebuilt/uefi/linuxx64.efi.stub", import.meta.url));
  const sections = [".osrel", ".cmdline", ".linux", ".initrd"].map((name) => ({
    name,
    bytes: Buffer.alloc(600, name),
  }));
  const made = appendSections(stub, sections);
  const started = buildEsp(made.ok ? made.value : stub);
  const efi = started.ok ? started.value : Buffer.alloc(0);
  const image = Buffer.concat([smallImage(), efi]);
  // Adds a folder "boot" to the folder in sector 20, and a file efi.img to the folder "boot".
  const record = (at: number, sector: number, size: number, flags: number, name: string) => {
    image[at] = 33 + name.length;
    image.writeUInt32LE(sector, at + 2);
    image.writeUInt32LE(size, at + 10);
    image[at + 25] = flags;
    image[at + 32] = name.length;
    image.write(name, at + 33, "latin1");
  };
  record(20 * 2048, 21, 2048, 2, "boot");
  record(21 * 2048, 40, efi.length, 0, "efi.img");
  const structures = listStructures(
    (offset, length) => image.subarray(offset, offset + length),
    image.length,
    new Map(),
  );
  const names = structures.map(({ name }) => name).filter((name) => name.startsWith("/boot/efi.img"));
  expect(new Set(names)).toEqual(
    new Set(
      ["the file system", "the program", ".osrel", ".cmdline", ".linux", ".initrd"].map(
        (part) => `/boot/efi.img: ${part}`,
      ),
    ),
  );
  const linux = structures.find(({ name }) => name.endsWith(".linux"));
  expect(image.subarray(linux?.offset, (linux?.offset ?? 0) + 600)).toEqual(Buffer.alloc(600, ".linux"));
  for (const [index, { offset, size }] of structures.entries())
    expect(offset + size).toBe(structures[index + 1]?.offset ?? image.length);
});
