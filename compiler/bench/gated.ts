// What a call costs more because it goes through the gate, with the Node flags of the image; the syncs of its records apart.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Bench } from "./bench.ts";
import { type Figure, limit, median } from "./figure.ts";
import { textOf } from "./measure.ts";

/** Of the image's flags those that cost something: no compiler, and little memory. */
const FLAGS = ["--jitless", "--max-semi-space-size=1", "--optimize-for-size", "--max-old-space-size=48"];
/** CPU microseconds more than the bare call. */
const MOST = 500;

interface Gated {
  /** CPU milliseconds of one call, the service's own and through the gate. */
  readonly bare: number;
  readonly gated: number;
  /** Of one gated call. */
  readonly syncs: number;
}

export async function gatedFigures({ runs, checkout, scratch }: Bench): Promise<Figure[]> {
  const outfile = join(scratch, "gated-program.mjs");
  const entryPoints = [join(checkout, "compiler/bench/gated-program.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  const all = Array.from({ length: runs }, (): Gated => {
    const folder = mkdtempSync(join(scratch, "gated-"));
    return JSON.parse(textOf(scratch, [process.execPath, ...FLAGS, outfile, folder]));
  });
  const of = (part: (one: Gated) => number) => median(all.map(part));
  return [
    { name: "a call of a service", value: of(({ bare }) => bare) * 1000, unit: "CPU µs" },
    {
      name: "what the gate adds to it",
      value: of(({ bare, gated }) => gated - bare) * 1000,
      unit: "CPU µs",
      against: limit(MOST),
    },
    { name: "syncs of a gated call, not counted in it", value: of(({ syncs }) => syncs), unit: "times" },
  ];
}
