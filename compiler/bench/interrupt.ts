// How long a busy worker goes on behind Ctrl-C, on this host. The weights are the example's, which are as small as weights can be: a
// worker ends with the batch that it computes, of 64 tokens at most, so larger ones add what that costs them.

import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Figure, limit, median } from "./figure.ts";
import { textOf } from "./measure.ts";

const MOST_MS = 100;

export async function interruptFigures({ runs, checkout, scratch }: Bench): Promise<Figure[]> {
  const program = join(checkout, "compiler/bench/interrupt-program.ts");
  const weights = join(checkout, "examples/offline-agent/models/tiny.gguf");
  const command = (run: number) =>
    [process.execPath, program, checkout, weights, join(scratch, `engine-${run}`)] as const;
  const value = median(Array.from({ length: runs }, (_, run) => Number(textOf(scratch, command(run)))));
  const name = "from Ctrl-C to the end of a worker's stream, at most";
  return [{ name, value: value * 1000, unit: "CPU µs", against: limit(MOST_MS * 1000) }];
}
