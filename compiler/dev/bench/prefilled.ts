// Measures the time to the first word of a model in the machine, with and without a prefilled state. Both are measured
// in one run, with the same worker, weights and request.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layEngine } from "../../../engine/image/rootfs/llama.ts";
import { makeTinyModel } from "../../../engine/lib/weights/testing/tiny-model.ts";
import type { Bench } from "./bench.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { readOutput } from "./measure.ts";

/** Minimum factor by which a prefilled state shortens the time to the first word. */
const LEAST_FASTER = 5;
/**
 * Size of a model with random weights. A real model needs more time, but by the same factor with a state and without it,
 * so the quotient of the two times stays the same.
 */
const MODEL = { layers: 6, width: 256, contextTokens: 4096 } as const;

interface Told {
  readonly headTokens: number;
  readonly stateBytes: number;
  readonly without: number;
  readonly having: number;
}

export function measurePrefilled({ runs, checkout, scratch }: Bench): Figure[] {
  const folder = join(scratch, "prefilled");
  mkdirSync(join(folder, "states"), { recursive: true });
  const weights = join(folder, "model.gguf");
  writeFileSync(weights, makeTinyModel(MODEL));
  const engine = layEngine(checkout, join(folder, "llama"));
  const program = join(checkout, "compiler/dev/bench/prefilled-program.ts");
  const command = [process.execPath, program, engine, weights, join(folder, "states")] as const;
  const all: Told[] = Array.from({ length: runs }, () => JSON.parse(readOutput(scratch, command)));
  const without = computeMedian(all.map((one) => one.without));
  const [one] = all;
  const words = `${one?.headTokens} tokens, a state of ${((one?.stateBytes ?? 0) / 1e6).toFixed(1)} MB`;
  return [
    { name: `a model's first word, ${words}`, value: without, unit: "CPU s" },
    {
      name: "the same with the state",
      value: computeMedian(all.map((each) => each.having)),
      unit: "CPU s",
      against: limit(without / LEAST_FASTER, "a fifth of that without"),
    },
  ];
}
