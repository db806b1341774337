// A stage of `make test`: one program or several, and how many of its claims held.

import { type SpawnOptions, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** What ran to a verdict. Something that should have run and did not is a failure. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

export interface Stage {
  readonly name: string;
  readonly run: () => Promise<Count>;
}

/** One claim: the program ends with 0. */
export const countOfOne = (held: boolean): Count => ({ passed: held ? 1 : 0, failed: held ? 0 : 1 });

export interface Ended {
  /** undefined where the program did not start or was killed. */
  readonly status: number | undefined;
  /** What it printed on standard output, if it was asked to be kept. */
  readonly output: string;
}

/** Runs a program in the checkout with the terminal's output as its own; `keep` shows standard output and keeps it too. */
export function runHere(program: string, words: readonly string[], options: { keep?: boolean } = {}): Promise<Ended> {
  const stdio: SpawnOptions["stdio"] = ["ignore", options.keep === true ? "pipe" : "inherit", "inherit"];
  const child = spawn(program, words, { cwd: CHECKOUT, stdio });
  const kept: Buffer[] = [];
  child.stdout?.on("data", (bytes: Buffer) => {
    kept.push(bytes);
    process.stdout.write(bytes);
  });
  return new Promise((resolve) => {
    const end = (status: number | undefined): void => resolve({ status, output: Buffer.concat(kept).toString("utf8") });
    child.once("error", (error) => {
      process.stderr.write(`${program} cannot be started: ${error.message}\n`);
      end(undefined);
    });
    child.once("close", (status) => end(status ?? undefined));
  });
}

/** Linux counts in hundredths of a second for every program that reads /proc. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of all programs that this one has started and seen the end of, theirs included. */
export function cpuSecondsOfChildren(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
