// A stage of `make test`: one program or several, how many of its claims held, and what did not.

import { type SpawnOptions, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Failure } from "./failures.ts";

export const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

/** What ran to a verdict. Something that should have run and did not is a failure. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

export interface Result extends Count {
  /** What failed, as far as the stage can name it: for the end of the output, which is all that a reader of CI may see. */
  readonly failures: readonly Failure[];
  /** Why nothing was asked: this machine cannot answer it. Told in the table, and counted as nothing. */
  readonly notRun?: string;
}

export const skipStage = (because: string): Result => ({ passed: 0, failed: 0, failures: [], notRun: because });

export interface Stage {
  readonly name: string;
  readonly run: () => Promise<Result>;
}

/** Nothing is green by not running: where no claim passed, or the program did not end well, at least one has failed. */
export function countOf(passed: number, failed: number, end: "well" | "badly"): Count {
  return { passed, failed: end === "well" && passed > 0 ? failed : Math.max(1, failed) };
}

/** With the failures that have names. Where none of those that were counted has, `unnamed` stands for them. */
export function createResult(count: Count, named: readonly Failure[], unnamed: Failure): Result {
  return { ...count, failures: count.failed > 0 && named.length === 0 ? [unnamed] : named };
}

/** One claim: the program ends with 0. Where it does not, `name` has failed, and what it printed last says why. */
export function createClaim(name: string, { status, output, complaints }: StageResult): Result {
  if (status === 0) return { passed: 1, failed: 0, failures: [] };
  return { passed: 0, failed: 1, failures: [{ name, words: `${output.slice(-MOST_KEPT)}${complaints}` }] };
}

/** Returns the result of a stage that ended with an exception: one failure, with its words. */
export function failWith(name: string, error: unknown): Result {
  const words = error instanceof Error ? error.message : `${error}`;
  return { passed: 0, failed: 1, failures: [{ name, words }] };
}

/** Returns the result of several parts of one stage. */
export function addResults(...results: readonly Result[]): Result {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    failures: results.flatMap(({ failures }) => failures),
  };
}

/** Returns the result of claims about one machine. `seen`, in lines, tells of each that does not hold what was seen instead. */
export function judgeClaims(
  claims: readonly (readonly [name: string, holds: boolean])[],
  seen: readonly string[],
): Result {
  const failures = claims.filter(([, holds]) => !holds).map(([name]) => ({ name, words: seen.join("\n") }));
  return { passed: claims.length - failures.length, failed: failures.length, failures };
}

/** A stage with a folder of its own, which is gone afterwards. What is thrown is its failure. */
export function createScratchStage(name: string, run: (scratch: string) => Promise<Result>): Stage {
  return {
    name,
    run: async () => {
      const scratch = mkdtempSync(join(tmpdir(), "capc-trial-"));
      try {
        return await run(scratch);
      } catch (error) {
        return failWith(name, error);
      } finally {
        rmSync(scratch, { recursive: true });
      }
    },
  };
}

export interface StageResult {
  /** undefined where the program did not start or was killed. */
  readonly status: number | undefined;
  /** What it printed on standard output. */
  readonly output: string;
  /** The end of what it printed on standard error. */
  readonly complaints: string;
}

/** Of what a program complains, in UTF-16 units: its last words are what is wrong. */
const MOST_KEPT = 8192;

/** Runs a program in the checkout. All that it prints is shown as it comes, but for the standard output of one that is `quiet`. */
export function runHere(
  program: string,
  words: readonly string[],
  options: { quiet?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<StageResult> {
  const stdio: SpawnOptions["stdio"] = ["ignore", "pipe", "pipe"];
  const child = spawn(program, words, { cwd: CHECKOUT, stdio, env: options.env ?? process.env });
  const kept: Buffer[] = [];
  let complaints = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    kept.push(bytes);
    if (options.quiet !== true) process.stdout.write(bytes);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-MOST_KEPT);
    process.stderr.write(text);
  });
  return new Promise((resolve) => {
    const end = (status: number | undefined): void =>
      resolve({ status, output: Buffer.concat(kept).toString("utf8"), complaints });
    child.once("error", (error) => {
      complaints = `${program} cannot be started: ${error.message}\n`;
      process.stderr.write(complaints);
      end(undefined);
    });
    child.once("close", (status) => end(status ?? undefined));
  });
}

const CAPC = join(CHECKOUT, "compiler/cli/main.ts");

/** The command line of this checkout, as `runHere` runs a program. */
export function runCapc(words: readonly string[], options: { quiet?: boolean } = {}): Promise<StageResult> {
  return runHere(process.execPath, [CAPC, ...words], options);
}
