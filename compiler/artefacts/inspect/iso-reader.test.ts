import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { listIso } from "./iso-reader.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-iso-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A small image that xorriso itself has written. */
const image = imageOf("tree", (tree) => {
  mkdirSync(join(tree, "capos/policy"), { recursive: true });
  writeFileSync(join(tree, "capos/manifest.bin.sig"), "signature");
  writeFileSync(join(tree, "capos/policy/tables.bin"), "t".repeat(5000));
  writeFileSync(join(tree, "A rather long name, with lower case.txt"), "x");
});
const pair = imageOf("pair", (tree) => {
  mkdirSync(tree);
  writeFileSync(join(tree, "one.txt"), "1");
  writeFileSync(join(tree, "two.txt"), "2");
});

function imageOf(name: string, fill: (tree: string) => void): Uint8Array {
  const tree = join(folder, name);
  fill(tree);
  const iso = join(folder, `${name}.iso`);
  const made = spawnSync("xorriso", ["-as", "mkisofs", "-quiet", "-R", "-V", "CAPOS", "-o", iso, tree]);
  expect(made.status).toBe(0);
  return readFileSync(iso);
}

const list = (bytes: Uint8Array) => listIso((offset, length) => bytes.subarray(offset, offset + length), bytes.length);

test("files are listed with their names, and their ranges contain the written bytes", () => {
  const listing = list(image);
  expect(listing).toMatchObject({ ok: true, volume: "CAPOS" });
  if (!listing.ok) return;
  expect(listing.files.map(({ path, size }) => [path, size])).toEqual([
    ["/A rather long name, with lower case.txt", 1],
    ["/capos/manifest.bin.sig", 9],
    ["/capos/policy/tables.bin", 5000],
  ]);
  const signature = listing.files[1];
  const start = signature?.offset ?? 0;
  expect(Buffer.from(image.subarray(start, start + 9)).toString()).toBe("signature");
});

test("a file that is not an ISO image is refused", () => {
  expect(list(new Uint8Array(0))).toMatchObject({ ok: false });
  expect(list(new Uint8Array(100_000))).toMatchObject({ ok: false });
});

test("a file beyond the end of the image is refused", () => {
  const listing = list(image);
  const last = listing.ok ? Math.max(...listing.files.map(({ offset }) => offset)) : 0;
  expect(list(image.subarray(0, last))).toMatchObject({ ok: false, reason: expect.stringContaining("outside") });
});

test("a duplicate name is refused, because a machine and a reader may choose different files", () => {
  expect(list(pair)).toMatchObject({ ok: true, files: [{ path: "/one.txt" }, { path: "/two.txt" }] });
  const twice = Buffer.from(Buffer.from(pair).toString("latin1").replaceAll("two.txt", "one.txt"), "latin1");
  expect(list(twice)).toEqual({ ok: false, reason: "/one.txt is there twice" });
});

test("overlapping files are refused, because each of thousands of files could contain the whole image", () => {
  const over = Uint8Array.from(pair);
  const view = new DataView(over.buffer);
  const root = view.getUint32(16 * 2048 + 156 + 2, true) * 2048;
  for (let at = root; over[at] !== 0; at += over[at] ?? 0) {
    const extent = view.getUint32(at + 2, true) * 2048;
    if (((over[at + 25] ?? 0) & 2) === 0) view.setUint32(at + 10, over.length - extent, true);
  }
  expect(list(over)).toEqual({ ok: false, reason: "its files have more bytes than it has" });
});

test("a folder that contains itself is refused", () => {
  const looped = Uint8Array.from(image);
  const view = new DataView(looped.buffer);
  const root = view.getUint32(16 * 2048 + 156 + 2, true) * 2048;
  for (let at = root; looped[at] !== 0; at += looped[at] ?? 0) {
    if (((looped[at + 25] ?? 0) & 2) !== 0) view.setUint32(at + 2, root / 2048, true);
  }
  expect(list(looped)).toMatchObject({ ok: false });
});

test("property: for any bytes, the reader returns files or a reason", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(40_000), fc.nat(255)), { maxLength: 30 }), (changes) => {
      const changed = Uint8Array.from(image);
      for (const [at, byte] of changes) changed[16 * 2048 + at] = byte;
      expect(typeof list(changed).ok).toBe("boolean");
    }),
  );
});

test("large folders that contain each other are refused, because their total size is limited", () => {
  const looped = Buffer.concat([image, Buffer.alloc(1024 * 1024)]);
  const record = (at: number, sector: number, size: number, name: string): number => {
    looped[at] = 34;
    looped.writeUInt32LE(sector, at + 2);
    looped.writeUInt32LE(size, at + 10);
    looped[at + 25] = 2;
    looped[at + 32] = name.length;
    looped.write(name, at + 33, "latin1");
    return at + 34;
  };
  // The root folder of this hostile image states a size of half a mebibyte. Its first sector has forty entries of
  // subfolders, and each of them refers to the root folder itself.
  const sector = image.length / 2048;
  for (let count = 0, at = image.length; count < 40; count += 1) at = record(at, sector, 512 * 1024, "x");
  record(16 * 2048 + 156, sector, 512 * 1024, "\u0000");
  let read = 0;
  const listing = listIso((offset, length) => {
    read += length;
    return looped.subarray(offset, offset + length);
  }, looped.length);
  expect(listing).toEqual({ ok: false, reason: "its folders have more than 8388608 bytes" });
  expect(read).toBeLessThan(9 * 1024 * 1024);
});
