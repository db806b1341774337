// Runs programs: git as a process, and capc itself in this process.

import { spawnSync } from "node:child_process";
import { runCommand } from "../cli/memory-world.ts";

/** Maximum bytes of git's output. A longer output is treated as a defect of git. */
const MOST_SAID = 64 * 1024 * 1024;

export interface ProgramResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs git; the status is 3 if it cannot be started. */
export function runGit(
  folder: string,
  words: readonly string[],
  variables: Record<string, string> = {},
): ProgramResult {
  const { error, status, stdout, stderr } = spawnSync("git", words, {
    cwd: folder,
    env: { ...process.env, ...variables },
    encoding: "utf8",
    maxBuffer: MOST_SAID,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (error !== undefined) return { status: 3, out: "", err: `git cannot be run: ${error.message}\n` };
  return { status: status ?? 3, out: stdout, err: stderr };
}

export function runCapc(folder: string, words: readonly string[]): Promise<ProgramResult> {
  return runCommand(words, { folder });
}
