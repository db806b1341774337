// Measures the first list of a thousand conversations in a file after a start, with the Node.js flags of the image.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { getRoleCommand } from "./bundled.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { readOutput } from "./measure.ts";

const MOST_MS = 50;

export async function measureListing(bench: Bench): Promise<Figure[]> {
  const { runs, scratch } = bench;
  const command = await getRoleCommand("conversations", bench, "listing-program");
  const directory = mkdtempSync(join(scratch, "conversations-"));
  readOutput(scratch, [...command, "fill", directory]);
  const value = computeMedian(
    Array.from({ length: runs }, () => Number(readOutput(scratch, [...command, "list", directory]))),
  );
  const name = "the first list of 1,000 conversations on a disk, with its lines";
  return [{ name, value: value * 1000, unit: "CPU µs", against: limit(MOST_MS * 1000) }];
}
