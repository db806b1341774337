import fc from "fast-check";
import { expect, test } from "vitest";
import { buildEsp, extractProgram, MOST_PROGRAM_BYTES, placeOfProgram } from "./esp.ts";

function made(program: Uint8Array): Buffer {
  const esp = buildEsp(program);
  if (!esp.ok) throw new Error(esp.reason);
  return esp.value;
}

/** Reads a file from FAT16 by the specification, along its chain of clusters, without assumptions about the layout of our writer. */
function readFile(image: Buffer, path: readonly string[]): Buffer | undefined {
  const sector = image.readUInt16LE(11);
  const cluster = sector * image.readUInt8(13);
  const fat = image.readUInt16LE(14) * sector;
  const root = fat + image.readUInt8(16) * image.readUInt16LE(22) * sector;
  const data = root + image.readUInt16LE(17) * 32;
  const chain = (first: number): Buffer => {
    const parts: Buffer[] = [];
    for (let at = first; at < 0xfff8; at = image.readUInt16LE(fat + at * 2))
      parts.push(image.subarray(data + (at - 2) * cluster, data + (at - 1) * cluster));
    return Buffer.concat(parts);
  };
  let folder = image.subarray(root, data);
  for (const [depth, name] of path.entries()) {
    const at = Array.from({ length: folder.length / 32 }, (_, index) => index * 32).find(
      (entry) => folder.toString("latin1", entry, entry + 11) === name,
    );
    if (at === undefined) return undefined;
    const bytes = chain(folder.readUInt16LE(at + 26));
    if (depth === path.length - 1) return bytes.subarray(0, folder.readUInt32LE(at + 28));
    folder = bytes;
  }
  return undefined;
}

const PATH = ["EFI        ", "BOOT       ", "BOOTX64 EFI"];

test("a reader of FAT finds the program under the name that firmware looks for", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20_000 }), (program) => {
      const image = made(program);
      expect(readFile(image, PATH)?.equals(program)).toBe(true);
      expect(extractProgram(image)?.equals(program)).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test("at any size, the number of clusters is that of FAT16, and both allocation tables agree and end with free entries", () => {
  for (const size of [1, 9_000_000, 40_000_000]) {
    const image = made(Buffer.alloc(size, 7));
    const sectors = image.readUInt16LE(19) || image.readUInt32LE(32);
    const tableSectors = image.readUInt16LE(22);
    const clusters = Math.floor((sectors - 1 - 2 * tableSectors - 32) / 4);
    expect(sectors * 512).toBe(image.length);
    expect(clusters).toBeGreaterThanOrEqual(4085);
    expect(clusters).toBeLessThan(65_525);
    expect(tableSectors * 256).toBeGreaterThanOrEqual(clusters + 2);
    const [one, two] = [1, 1 + tableSectors].map((at) => image.subarray(at * 512, (at + tableSectors) * 512));
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true);
    expect(
      image.subarray(512 + (4 + Math.ceil(size / 2048)) * 2, 512 + tableSectors * 512).every((byte) => byte === 0),
    ).toBe(true);
  }
});

test("refuses a program that does not fit, before it builds anything", () => {
  const huge = { length: MOST_PROGRAM_BYTES + 1 } as Uint8Array;
  expect(buildEsp(huge)).toMatchObject({ ok: false, reason: expect.stringContaining("above") });
});

/** Returns the offset of a cluster's entry in the first table, which is the one that readers use. */
const entryOf = (cluster: number): number => 512 + cluster * 2;
/** Returns the offset at which a cluster begins. */
const clusterAt = (image: Buffer, cluster: number): number =>
  (1 + 2 * image.readUInt16LE(22)) * 512 + 512 * 32 + (cluster - 2) * 2048;

test("reads a program along its chain of clusters, even if the chain begins at another cluster than in a new image", () => {
  const image = made(Buffer.alloc(5000, "a program"));
  const elsewhere = 100;
  image.write("elsewhere", clusterAt(image, elsewhere));
  image.writeUInt16LE(image.readUInt16LE(entryOf(4)), entryOf(elsewhere));
  // The third entry of the folder EFI/BOOT is that of the program; it states the first cluster of the file.
  image.writeUInt16LE(elsewhere, clusterAt(image, 3) + 64 + 26);
  expect(extractProgram(image)?.toString("latin1", 0, 9)).toBe("elsewhere");
  expect(extractProgram(image)?.length).toBe(5000);
  expect(placeOfProgram(image)).toBeUndefined();
});

test.each<[string, (image: Buffer) => void]>([
  ["its chain is shorter than the file", (image) => image.writeUInt16LE(0xffff, entryOf(4))],
  ["its chain leads out of the file system", (image) => image.writeUInt16LE(0xfff0, entryOf(4))],
  ["its first cluster is zero", (image) => image.writeUInt16LE(0, clusterAt(image, 3) + 64 + 26)],
  ["it is a folder", (image) => void image.writeUInt8(0x10, clusterAt(image, 3) + 64 + 11)],
  ["it is deleted", (image) => void image.writeUInt8(0xe5, clusterAt(image, 3) + 64)],
  ["a folder on the way is a file", (image) => void image.writeUInt8(0x20, clusterAt(image, 2) + 64 + 11)],
  ["the file system claims more sectors than it has", (image) => image.writeUInt16LE(0xffff, 19)],
  ["its clusters are too large for FAT16", (image) => void image.writeUInt8(64, 13)],
])("finds no program if %s", (_, spoil) => {
  const image = made(Buffer.alloc(5000, "a program"));
  expect(placeOfProgram(image)).toEqual({ offset: clusterAt(image, 4), size: 5000 });
  spoil(image);
  expect(extractProgram(image)).toBeUndefined();
});

test("if the chain of a file's clusters has a loop, reading stops at the length of the file", () => {
  const image = made(Buffer.alloc(5000, "a program"));
  image.writeUInt16LE(4, entryOf(4));
  expect(extractProgram(image)?.length).toBe(5000);
});

test("finds no program in another file system, and never throws on changed bytes", () => {
  expect(extractProgram(Buffer.alloc(0))).toBeUndefined();
  expect(extractProgram(Buffer.alloc(1_000_000))).toBeUndefined();
  const image = made(Buffer.from("a program"));
  fc.assert(
    fc.property(fc.nat({ max: 70_000 }), fc.nat({ max: 255 }), fc.nat({ max: image.length }), (at, to, length) => {
      const changed = Buffer.from(image.subarray(0, Math.min(length, 90_000)));
      if (at < changed.length) changed[at] = to;
      expect(extractProgram(changed)?.length ?? 0).toBeLessThanOrEqual(changed.length);
    }),
    { numRuns: 500 },
  );
  const whole = fc.array(fc.tuple(fc.nat({ max: 512 + 64 }), fc.nat({ max: 255 })), { maxLength: 4 });
  fc.assert(
    fc.property(whole, (places) => {
      const changed = Buffer.from(image);
      for (const [at, to] of places) changed[at] = to;
      expect(extractProgram(changed)?.length ?? 0).toBeLessThanOrEqual(changed.length);
    }),
    { numRuns: 50 },
  );
});
