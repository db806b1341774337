// A token of the worker beside one of the engine alone: what grammar, conversation and cancelling cost on top.

import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Figure, limit } from "./figure.ts";
import { textOf } from "./measure.ts";

/** 0.95 of the engine's own speed. */
const MOST = 1 / 0.95;
const TOKENS = 64;

/** Of the weights that `make model-export` writes, or of those that `MODEL` names; left out where there are none. */
export function generatingFigures({ checkout, scratch }: Bench): Figure[] {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const weights = process.env["MODEL"] ?? join(cache, "capc-model/agent-135m-q4_0.gguf");
  if (!existsSync(weights)) {
    process.stderr.write(`no weights in ${weights}, and left out: the speed of a model (MODEL=FILE)\n`);
    return [];
  }
  const folder = join(scratch, "engine");
  mkdirSync(folder);
  const program = join(checkout, "compiler/bench/generating-program.ts");
  const said = textOf(checkout, [process.execPath, program, weights, folder, `${TOKENS}`]);
  const { ours, bare }: { ours: number; bare: number } = JSON.parse(said);
  const most = limit(bare * 1000 * MOST, "the engine alone, at 0.95 of its speed");
  return [{ name: "a token of the worker's model", value: ours * 1000, unit: "CPU µs", against: most }];
}
