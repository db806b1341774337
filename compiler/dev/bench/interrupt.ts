// Measures how long a busy worker continues after a cancel, with the example's weights or those that `MODEL` names, and the worker's
// Node.js flags. The worker stops computing after the current batch or token.

import { join } from "node:path";
import { layEngine } from "../../../engine/image/rootfs/llama.ts";
import type { Bench } from "./bench.ts";
import { getRoleCommand } from "./bundled.ts";
import { type Figure, limit } from "./figure.ts";
import { readOutput } from "./measure.ts";

const MOST_MS = 100;
/** Number of cancels of each kind in a run. */
const TIMES = 10;

interface Told {
  readonly tokens: number;
  readonly reading: number;
  readonly answering: number;
}

/** Returns the longest time of all cancels: the promise applies to each cancel, and a median would hide failures. */
export async function interruptFigures(bench: Bench): Promise<Figure[]> {
  const { runs, checkout, scratch } = bench;
  const weights = process.env["MODEL"] ?? join(checkout, "examples/offline-agent/models/agent.gguf");
  const engine = layEngine(checkout, join(scratch, "interrupted-engine"));
  const command = await getRoleCommand("model-local", bench, "interrupt-program");
  const all = Array.from(
    { length: runs },
    (): Told => JSON.parse(readOutput(scratch, [...command, engine, weights, `${TIMES}`])),
  );
  const findMost = (kind: "reading" | "answering") => Math.max(...all.map((one) => one[kind])) * 1000;
  const createFigure = (name: string, value: number): Figure => ({
    name,
    value,
    unit: "CPU µs",
    against: limit(MOST_MS * 1000),
  });
  const end = `to the end of a worker's stream, ${all[0]?.tokens} tokens, most of ${runs * TIMES}`;
  return [
    createFigure(`from a cancel while it reads ${end}`, findMost("reading")),
    createFigure("the same while it answers", findMost("answering")),
  ];
}
