import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compressReproducibly } from "../../../engine/image/rootfs/initrd.ts";
import { createPacker } from "./packed.ts";

/** Offset of gzip's byte for the operating system, which does not change the unpacked data. */
const MADE_ON = 9;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-packed-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("an archive that was compressed before is read from the cache, with the same bytes", () => {
  const archive = Buffer.alloc(100_000, "archive");
  const pack = createPacker(join(folder, "packed"));
  expect(pack(archive)).toEqual(compressReproducibly(archive));
  const [kept = ""] = readdirSync(join(folder, "packed"));
  expect(pack(archive)).toEqual(compressReproducibly(archive));
  const marked = Buffer.from(compressReproducibly(archive));
  marked.writeUInt8(7, MADE_ON);
  writeFileSync(join(folder, "packed", kept), marked);
  expect(pack(archive)).toEqual(marked);
  expect(pack(Buffer.from("another"))).toEqual(compressReproducibly(Buffer.from("another")));
});

test("a truncated cache file is replaced", () => {
  const archive = Buffer.alloc(100_000, "archive");
  const pack = createPacker(join(folder, "packed"));
  const whole = pack(archive);
  const [kept = ""] = readdirSync(join(folder, "packed"));
  for (const torn of [Buffer.alloc(0), whole.subarray(0, -1), Buffer.alloc(whole.length)]) {
    writeFileSync(join(folder, "packed", kept), torn);
    expect(pack(archive)).toEqual(whole);
    expect(readFileSync(join(folder, "packed", kept))).toEqual(whole);
  }
});

test("only the latest few archives are kept", () => {
  const pack = createPacker(join(folder, "packed"));
  for (let archive = 0; archive < 12; archive++) pack(Buffer.from(`${archive}`));
  expect(readdirSync(join(folder, "packed"))).toHaveLength(8);
});
