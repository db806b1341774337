// A list of a thousand conversations, with the Node flags of the image that cost something: without a compiler.

import { join } from "node:path";
import { build } from "esbuild";
import type { Bench } from "./bench.ts";
import { type Figure, limit, median } from "./figure.ts";
import { textOf } from "./measure.ts";

const MOST_MS = 50;

export async function listingFigures({ runs, checkout, scratch }: Bench): Promise<Figure[]> {
  const outfile = join(scratch, "listing-program.mjs");
  const entryPoints = [join(checkout, "compiler/bench/listing-program.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  const command = [process.execPath, "--jitless", outfile] as const;
  const value = median(Array.from({ length: runs }, () => Number(textOf(scratch, command))));
  const most = limit(MOST_MS * 1000);
  return [{ name: "a list of 1,000 conversations", value: value * 1000, unit: "CPU µs", against: most }];
}
