import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { readOutput } from "./measure.ts";

/** Promised speed at which tables are encoded, in bytes per CPU second. */
const PROMISED = 200e6;

/**
 * Measures how fast tables are written in canonical form; the tables contain a hundred thousand rules, each with three
 * texts.
 */
export function measureEncoding({ runs, checkout, scratch }: Bench): Figure[] {
  const program = join(checkout, "compiler/dev/bench/encoding-program.ts");
  const all = Array.from({ length: runs }, (): { seconds: number; bytes: number } =>
    JSON.parse(readOutput(scratch, [process.execPath, program])),
  );
  const bytes = all[0]?.bytes ?? 0;
  const against = limit(bytes / PROMISED, "200 MB a second");
  const name = `tables of 100000 entries written, ${(bytes / 1e6).toFixed(1)} MB`;
  return [{ name, value: computeMedian(all.map(({ seconds }) => seconds)), unit: "CPU s", against }];
}
