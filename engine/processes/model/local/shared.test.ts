// Tests by the kernel's counters that weights are mapped from the page cache, of which all workers of a machine share one copy.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeTinyModel } from "../../../lib/weights/testing/tiny-model.ts";
import { layEngine } from "./testing/engine-folder.ts";

const PROGRAM = fileURLToPath(new URL("testing/opening.ts", import.meta.url));
const PAGE_KIB = 4;

test("two workers of one model share its weights in memory, without copies", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-shared-"));
  const weights = join(folder, "model.gguf");
  // Flush the file, because pages that are not on the disk yet count as changed, even if they are shared.
  writeFileSync(weights, makeTinyModel({ layers: 4, width: 192 }), { flush: true });
  const engine = layEngine(join(folder, "llama"));
  const workers = [1, 2].map(() => spawn(process.execPath, [PROGRAM, "--engine", engine, "--stay", weights]));
  try {
    for (const worker of workers) expect(await firstLine(worker)).toMatch(/^answers: /);
    const file = statSync(weights).size / 1024;
    expect(file).toBeGreaterThan(4000);
    for (const { pid } of workers) {
      const kib = mappingOf(pid, weights);
      expect(kib("Rss")).toBeGreaterThan(file * 0.9);
      expect(kib("Shared_Clean")).toBe(kib("Rss"));
      expect([kib("Private_Clean"), kib("Private_Dirty"), kib("Anonymous")]).toEqual([0, 0, 0]);
      // The worker's share of the mapping is half of it, because there are two workers.
      expect(Math.abs(kib("Pss") - kib("Rss") / 2)).toBeLessThan(PAGE_KIB);
    }
  } finally {
    for (const worker of workers) worker.stdin?.end();
    await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, "exit")));
    rmSync(folder, { recursive: true });
  }
});

async function firstLine(worker: ChildProcess): Promise<string> {
  if (worker.stdout === null) throw new Error("a worker without output");
  for await (const line of createInterface(worker.stdout)) return line;
  throw new Error("a worker ended before it said anything");
}

/** Returns a function that reads the kernel's counters of a file's mappings in a process, in KiB, by the kernel's names. */
function mappingOf(pid: number | undefined, path: string): (word: string) => number {
  const blocks = readFileSync(`/proc/${pid}/smaps`, "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const ours = blocks.filter((block) => block.split("\n")[0]?.endsWith(` ${path}`));
  expect(ours.length).toBeGreaterThan(0);
  return (word) =>
    ours.reduce((sum, block) => sum + Number(new RegExp(`^${word}:\\s+(\\d+) kB`, "m").exec(block)?.[1] ?? 0), 0);
}
