// Measures the ledger of tasks over its real connection, with its file on the disk and the Node.js flags of an image.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { bundleBench, getRoleCommand } from "./bundled.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { readOutput } from "./measure.ts";

/** Promised maxima in CPU microseconds: 15,000 and 4,500 calls, and 5,000 and 1,500 steps, in a CPU second. */
const MOST = { eight: { call: 1e6 / 15_000, step: 1e6 / 5000 }, one: { call: 1e6 / 4500, step: 1e6 / 1500 } } as const;

type Told = { readonly [K in keyof typeof MOST]: { readonly call: number; readonly step: number } };

export async function measureLedger(bench: Bench): Promise<Figure[]> {
  const { runs, scratch } = bench;
  const server = await bundleBench(bench, "ledger-server");
  const command = await getRoleCommand("conversations", bench, "ledger-program");
  const all = Array.from({ length: runs }, (): Told => {
    const folder = mkdtempSync(join(scratch, "ledger-"));
    return JSON.parse(readOutput(scratch, [...command, server, folder]));
  });
  const createFigure = (name: string, flight: keyof Told, part: "call" | "step"): Figure => ({
    name,
    value: computeMedian(all.map((told) => told[flight][part])),
    unit: "CPU µs",
    against: limit(MOST[flight][part]),
  });
  return [
    createFigure("an acknowledged call of the ledger, eight in flight", "eight", "call"),
    createFigure("the same, one in flight", "one", "call"),
    createFigure("a step of a task, eight in flight: both processes", "eight", "step"),
    createFigure("the same, one in flight", "one", "step"),
  ];
}
