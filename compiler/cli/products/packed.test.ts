import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compressed } from "../../../engine/rootfs/initrd.ts";
import { packedIn } from "./packed.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-packed-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("what was compressed before is not compressed again, and has the same bytes", () => {
  const archive = Buffer.alloc(100_000, "archive");
  const pack = packedIn(join(folder, "packed"));
  expect(pack(archive)).toEqual(compressed(archive));
  const [kept = ""] = readdirSync(join(folder, "packed"));
  expect(pack(archive)).toEqual(compressed(archive));
  writeFileSync(join(folder, "packed", kept), "kept");
  expect(pack(archive).toString()).toBe("kept");
  expect(pack(Buffer.from("another"))).toEqual(compressed(Buffer.from("another")));
});

test("a few are kept, the last ones", () => {
  const pack = packedIn(join(folder, "packed"));
  for (let archive = 0; archive < 12; archive++) pack(Buffer.from(`${archive}`));
  expect(readdirSync(join(folder, "packed"))).toHaveLength(8);
});
