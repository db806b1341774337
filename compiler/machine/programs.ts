import { spawnSync } from "node:child_process";
import type { Result } from "../../engine/lib/result/result.ts";

/** Returns the PATH for programs: Debian installs mke2fs and debugfs in folders that are not in an ordinary user's PATH. */
export function getSearchPath(): string {
  const { PATH = "" } = process.env;
  return `${PATH}:/usr/sbin:/sbin`;
}

export type ProgramResult = Result<string>;

/** Maximum output of a program in bytes. The largest output is a file on a data disk that debugfs prints with `cat`. */
const MOST_OUTPUT = 16 * 1024 * 1024;

/**
 * Runs a short program to its end with a fixed clock and locale. Fails if the program cannot be started, or ends with
 * another status than 0. If the program is absent, the message names `debianPackage`.
 */
export function runProgram(
  program: string,
  words: readonly string[],
  debianPackage: string,
  { input = "", folder = "/" } = {},
): ProgramResult & { readonly errors?: string } {
  const { error, status, signal, stdout, stderr } = spawnSync(program, words, {
    input,
    cwd: folder,
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT,
    env: { PATH: getSearchPath(), LC_ALL: "C", TZ: "UTC", E2FSPROGS_FAKE_TIME: "1" },
  });
  // If a program ended before it had read all of its input, its own error is reported instead of EPIPE.
  const isOver = error !== undefined && "code" in error && error.code === "EPIPE" && status !== 0;
  if (error !== undefined && !isOver) return { ok: false, reason: explainNotStarted(program, debianPackage, error) };
  if (status !== 0)
    return { ok: false, reason: `${program} failed: ${stderr.trim() || (signal ?? `exit status ${status}`)}` };
  return { ok: true, value: stdout, errors: stderr };
}

/**
 * Returns the error of debugfs, or an empty text if there is none. debugfs exits with success even after a failed command, so any output
 * after its first line is an error.
 */
export function extractComplaint({ errors = "" }: { readonly errors?: string }): string {
  return errors.split("\n").slice(1).join(" ").trim();
}

/** Returns the sentence for a program that did not start. */
export function explainNotStarted(program: string, debianPackage: string, error: Error): string {
  return "code" in error && error.code === "ENOENT"
    ? `${program} is not installed (Debian package ${debianPackage}; \`make setup\` installs it)`
    : `${program} cannot be started: ${error.message}`;
}
