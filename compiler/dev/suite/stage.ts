// Defines a stage of `make test`. It runs one or several programs, and returns the number of passed claims and the
// failures.

import { type SpawnOptions, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Failure } from "./failures.ts";

export const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

/** Numbers of passed and failed checks. A check counts as failed if it should have run and did not run. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

export interface Result extends Count {
  /** Failures, as far as the stage can name them. They are printed last, because a reader of CI may see only the end. */
  readonly failures: readonly Failure[];
  /**
   * Reason why nothing was checked: this machine cannot run the stage. The table shows the reason, and the stage counts
   * neither as passed nor as failed.
   */
  readonly notRun?: string;
}

export const skipStage = (because: string): Result => ({ passed: 0, failed: 0, failures: [], notRun: because });

export interface Stage {
  readonly name: string;
  readonly run: () => Promise<Result>;
}

/**
 * Returns the counts of a stage. If no check passed or the program ended badly, the counts have at least one failure,
 * so a stage that did not run never passes.
 */
export function countOf(passed: number, failed: number, end: "well" | "badly"): Count {
  return { passed, failed: end === "well" && passed > 0 ? failed : Math.max(1, failed) };
}

/** Returns the result with the named failures. If none of the counted failures has a name, `unnamed` represents them. */
export function createResult(count: Count, named: readonly Failure[], unnamed: Failure): Result {
  return { ...count, failures: count.failed > 0 && named.length === 0 ? [unnamed] : named };
}

/**
 * Returns the result of the check that the program ended with status 0. If the program ended with another status, the check
 * `name` failed, with the program's last output as the reason.
 */
export function createClaim(name: string, { status, output, complaints }: StageResult): Result {
  if (status === 0) return { passed: 1, failed: 0, failures: [] };
  return { passed: 0, failed: 1, failures: [{ name, words: `${output.slice(-MOST_KEPT)}${complaints}` }] };
}

/** Returns the result of a stage that ended with an exception: one failure with its message. */
export function failWith(name: string, error: unknown): Result {
  const words = error instanceof Error ? error.message : `${error}`;
  return { passed: 0, failed: 1, failures: [{ name, words }] };
}

/** Adds the counts of several parts of one stage, and joins their failures. */
export function addResults(...results: readonly Result[]): Result {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    failures: results.flatMap(({ failures }) => failures),
  };
}

/** Returns the result of claims about one machine. `seen` contains lines that are printed for each failed claim. */
export function judgeClaims(
  claims: readonly (readonly [name: string, holds: boolean])[],
  seen: readonly string[],
): Result {
  const failures = claims.filter(([, holds]) => !holds).map(([name]) => ({ name, words: seen.join("\n") }));
  return { passed: claims.length - failures.length, failed: failures.length, failures };
}

/** Creates a stage with a temporary folder. An exception becomes a failure of the stage. */
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
  /** Exit status; `undefined` if the program did not start or was killed. */
  readonly status: number | undefined;
  /** Standard output of the program. */
  readonly output: string;
  /** End of the standard error of the program. */
  readonly complaints: string;
}

/** Maximum length of a program's standard error in UTF-16 code units. The end is kept, because it states the error. */
const MOST_KEPT = 8192;

/** Runs a program in the checkout, and prints its output at once. With `quiet`, does not print its standard output. */
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

/** Runs `capc` of this checkout, in the same way as `runHere` runs a program. */
export function runCapc(words: readonly string[], options: { quiet?: boolean } = {}): Promise<StageResult> {
  return runHere(process.execPath, [CAPC, ...words], options);
}
