import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countCopies, selectSamples } from "./copies.ts";

test("counts a copy of a memory page only if it begins at a page boundary", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-copies-"));
  try {
    const file = Buffer.from(Uint8Array.from({ length: 5 * 4096 }, (_, at) => (at >> 12) * 16 + (at % 13)));
    const samples = selectSamples(file, 3);
    const memory = Buffer.alloc(2 * 1024 * 1024);
    for (const at of [0, 300]) samples[0]?.copy(memory, at * 4096);
    samples[1]?.copy(memory, 7 * 4096 + 512);
    samples[2]?.copy(memory, 511 * 4096);
    writeFileSync(join(folder, "memory"), memory);
    expect(countCopies(join(folder, "memory"), samples)).toEqual([2, 0, 1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
