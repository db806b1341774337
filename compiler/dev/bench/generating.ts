// Compares the time for a token in a local model worker, which uses a grammar, with the time in llama.cpp alone. The
// difference is the cost of grammar, conversation and cancelling, less the time that forced tokens save because they
// are not sampled.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Figure, limit } from "./figure.ts";
import { readOutput } from "./measure.ts";

/**
 * Promised maximum time of the worker, as a multiple of the engine's time: the worker must reach 0.95 of the engine's
 * speed.
 */
const MOST = 1 / 0.95;
/** Maximum number of tokens of a response, which may end earlier. */
const TOKENS = 48;

/** Responses in words, and responses that are a call. */
const KINDS = ["words", "call"] as const;
type Kind = (typeof KINDS)[number];

/** Measures the weights of `examples/offline-agent`, or those that `MODEL` names. */
export function measureGenerating({ checkout, scratch }: Bench): Figure[] {
  const weights = process.env["MODEL"] ?? join(checkout, "examples/offline-agent/models/agent.gguf");
  const folder = join(scratch, "engine");
  mkdirSync(folder);
  const program = join(checkout, "compiler/dev/bench/generating-program.ts");
  const said = readOutput(checkout, [process.execPath, program, weights, folder, `${TOKENS}`]);
  const told: Readonly<Record<Kind, { ours: number; bare: number }>> = JSON.parse(said);
  return KINDS.map((kind) => {
    const { ours, bare } = told[kind];
    const most = limit(bare * 1000 * MOST, "the engine alone, at 0.95 of its speed");
    return { name: `a token of the worker's model, ${kind}`, value: ours * 1000, unit: "CPU µs", against: most };
  });
}
