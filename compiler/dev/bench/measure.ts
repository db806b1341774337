// What other programs cost, whole: from their start to their end.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readChildrenCpuSeconds } from "../../machine/cpu-time.ts";
import { computeMedian } from "./figure.ts";

/** Linux counts in hundredths of a second: what takes less is done again until it took so long. */
const LEAST_SECONDS = 0.3;

/** Whoever takes longer has lost, or hangs. */
const LONGEST_MS = 180_000;

/** How often the size of a program is read, in milliseconds. What it grows by in its last moment may be missed. */
const LOOK_EVERY = 5;

/** A program and its words. */
export type CommandLine = readonly [program: string, ...words: string[]];

/** CPU seconds of a program that has to succeed; the median of `runs`. */
export function measureCpuSeconds(runs: number, folder: string, command: CommandLine): number {
  const times = Math.max(1, Math.ceil(LEAST_SECONDS / Math.max(0.01, measureSecondsFor(1, folder, command))));
  return computeMedian(Array.from({ length: runs }, () => measureSecondsFor(times, folder, command)));
}

function measureSecondsFor(times: number, folder: string, command: CommandLine): number {
  const before = readChildrenCpuSeconds();
  for (let time = 0; time < times; time++) readOutput(folder, command);
  return (readChildrenCpuSeconds() - before) / times;
}

/** What a program says that has to succeed. */
export function readOutput(folder: string, [program, ...words]: CommandLine): string {
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26, timeout: LONGEST_MS } as const;
  const { status, stdout, stderr, error } = spawnSync(program, words, options);
  if (status !== 0) throw new Error(`${[program, ...words].join(" ")} failed:\n${error?.message ?? stderr}`);
  return stdout;
}

/** The most memory that a program had at once, in mebibytes. */
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
    // It has ended in the meantime.
    return 0;
  }
}
