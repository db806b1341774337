// Runs commands in a terminal of a fixed size, as a person would type them. tmux from Debian is the terminal: it interprets what programs
// draw, and prints the screen as text.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const COLUMNS = 100;
const ROWS = 44;
/** Maximum time in milliseconds until an expected text appears; the first compilation on a busy machine takes seconds. */
const PATIENCE_MS = 120_000;
const POLL_MS = 50;

/** A step in the terminal: a line to type, and the text that must then appear. */
export interface Step {
  /** Line to type; `LETTERS` stands for the letters of the open question. */
  readonly line: string;
  readonly until: string;
}

export const LETTERS = "LETTERS";

/**
 * Runs the steps in `folder` with the checkout's `capc`, and returns the screen with its colours. Throws if a text
 * never appears.
 */
export async function captureTerminal(checkout: string, folder: string, steps: readonly Step[]): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "capc-picture-"));
  const programs = join(scratch, "bin");
  mkdirSync(programs);
  const launcher = `exec '${process.execPath}' '${join(checkout, "compiler/cli/capc.mjs")}' "$@"`;
  writeFileSync(join(programs, "capc"), `#!/bin/sh\n${launcher}\n`, { mode: 0o755 });
  const tmux = (...words: readonly string[]): string => {
    const { status, stdout, stderr, error } = spawnSync(
      "tmux",
      ["-S", join(scratch, "socket"), "-f", "/dev/null", ...words],
      {
        encoding: "utf8",
        env: {
          PATH: `${programs}:${dirname(process.execPath)}:/usr/sbin:/usr/bin:/sbin:/bin`,
          LC_ALL: "C.UTF-8",
          TERM: "xterm-256color",
          HOME: scratch,
        },
      },
    );
    if (error !== undefined || status !== 0) throw new Error(`tmux ${words[0]} failed: ${error?.message ?? stderr}`);
    return stdout;
  };
  const read = (): string => tmux("capture-pane", "-p", "-N");
  const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
  tmux("new-session", "-d", ...size, "-c", folder, "sh");
  try {
    // The shell of root ignores PS1 of its environment.
    tmux("send-keys", "-l", "PS1='$ '; clear");
    tmux("send-keys", "Enter");
    await waitFor(() => read().trimEnd(), "$", "first");
    for (const { line, until } of steps) {
      const before = read();
      tmux("send-keys", "-l", line.replace(LETTERS, findLetters(before)));
      const typed = read();
      tmux("send-keys", "Enter");
      await waitFor(read, until, typed);
    }
    return tmux("capture-pane", "-p", "-e");
  } finally {
    tmux("kill-server");
    rmSync(scratch, { recursive: true });
  }
}

/**
 * Waits until the screen contains the text more often than `before` does. If `before` is "first", waits until the
 * screen shows only this text.
 */
async function waitFor(read: () => string, text: string, before: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const screen = read();
    if (before === "first" ? screen === text : countOf(screen, text) > countOf(before, text)) return;
    if (performance.now() > deadline) throw new Error(`"${text}" never appeared:\n${screen}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function countOf(screen: string, text: string): number {
  return screen.split(text).length - 1;
}

function findLetters(screen: string): string {
  return [...screen.matchAll(/type ([a-z]{3}) (?:to allow|for once)/g)].at(-1)?.[1] ?? "";
}
