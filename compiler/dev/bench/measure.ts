// Measures the cost of other programs, from their start to their end.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readChildrenCpuSeconds } from "../../machine/cpu-time.ts";
import { computeMedian } from "./figure.ts";

/**
 * Minimum seconds of a measurement. Linux counts in hundredths of a second, so shorter programs are repeated until the
 * repetitions take that long.
 */
const LEAST_SECONDS = 0.3;

/** Timeout of a program in milliseconds. */
const LONGEST_MS = 180_000;

/** Interval in milliseconds between readings of a program's memory. Growth within the last interval may be missed. */
const LOOK_EVERY = 5;

/** Program with its arguments. */
export type CommandLine = readonly [program: string, ...words: string[]];

/** Returns the CPU seconds of a program: the median of `runs`. Throws if the program fails. */
export function measureCpuSeconds(runs: number, folder: string, command: CommandLine): number {
  const times = Math.max(1, Math.ceil(LEAST_SECONDS / Math.max(0.01, measureSecondsFor(1, folder, command))));
  return computeMedian(Array.from({ length: runs }, () => measureSecondsFor(times, folder, command)));
}

function measureSecondsFor(times: number, folder: string, command: CommandLine): number {
  const before = readChildrenCpuSeconds();
  for (let time = 0; time < times; time++) readOutput(folder, command);
  return (readChildrenCpuSeconds() - before) / times;
}

/** Returns the standard output of a program. Throws if the program fails. */
export function readOutput(folder: string, [program, ...words]: CommandLine): string {
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26, timeout: LONGEST_MS } as const;
  const { status, stdout, stderr, error } = spawnSync(program, words, options);
  if (status !== 0) throw new Error(`${[program, ...words].join(" ")} failed:\n${error?.message ?? stderr}`);
  return stdout;
}

/** Returns the peak memory of a program in mebibytes. */
export async function measurePeakMebibytes(folder: string, [program, ...words]: CommandLine): Promise<number> {
  const child = spawn(program, words, { cwd: folder, stdio: "ignore" });
  let most = 0;
  const look = setInterval(() => {
    most = Math.max(most, readMebibytesSoFar(child.pid));
  }, LOOK_EVERY);
  const status = await new Promise<number | null>((resolve, reject) => child.on("exit", resolve).on("error", reject));
  clearInterval(look);
  if (status !== 0) throw new Error(`${[program, ...words].join(" ")} failed`);
  if (most === 0) throw new Error(`${program} ended before its memory was looked at`);
  return most;
}

function readMebibytesSoFar(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended, so the file is gone.
    return 0;
  }
}
