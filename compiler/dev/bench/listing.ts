// A list of a thousand conversations that lie in a file, the first after a start, with the Node flags of the image.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { startedAs } from "./bundled.ts";
import { type Figure, limit, median } from "./figure.ts";
import { textOf } from "./measure.ts";

const MOST_MS = 50;

export async function listingFigures(bench: Bench): Promise<Figure[]> {
  const { runs, scratch } = bench;
  const command = await startedAs("conversations", bench, "listing-program");
  const directory = mkdtempSync(join(scratch, "conversations-"));
  textOf(scratch, [...command, "fill", directory]);
  const value = median(Array.from({ length: runs }, () => Number(textOf(scratch, [...command, "list", directory]))));
  const name = "the first list of 1,000 conversations on a disk, with its lines";
  return [{ name, value: value * 1000, unit: "CPU µs", against: limit(MOST_MS * 1000) }];
}
