// Runs one program with exactly the given arguments and environment, without input, and with limits of output and time.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { ActionFault, ExecAnswer, RefusalAnswer } from "../answer.ts";
import { MOST_OUTPUT } from "../limits.ts";
import type { Exec } from "../plan.ts";

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Text at the end of a truncated output. */
const TRUNCATED = "\n[truncated]";
/** Maximum milliseconds to wait for output after the program has ended. */
const LEFT_OPEN_MS = 1000;

/**
 * Runs a program until it ends, its timeout expires, or `signal` fires. The program runs in `folder` unless the action
 * names another folder.
 */
export async function executeProgram(
  action: Exec,
  folder: string,
  signal: AbortSignal,
): Promise<ExecAnswer | RefusalAnswer> {
  const begun = await begin(action, folder);
  if (!begun.ok) return { type: "exec", ok: false, error: { code: "exec_failed", message: begun.reason } };
  const child = begun.value;
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const outputs = [collectOutput(child.stdout), collectOutput(child.stderr)] as const;
  let timedOut = false;
  const end = () => endGroup(child.pid);
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, action.timeout_sec * 1000);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const code = await ended;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
  end();
  // A process that left the group may keep the output open for any time.
  const leave = setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, LEFT_OPEN_MS);
  await closed;
  clearTimeout(leave);
  const [stdout, stderr] = [outputs[0](), outputs[1]()];
  const error = findExitFault(code, timedOut ? "timeout" : "exit", action.timeout_sec);
  return {
    type: "exec",
    ok: error === undefined,
    stdout: stdout.text,
    stderr: stderr.text,
    stdout_truncated: stdout.truncated,
    stderr_truncated: stderr.truncated,
    exit_code: code,
    ...(error && { error }),
  };
}

/** Starts the program. Some errors of the system are thrown at once, others are reported by an event. */
async function begin({ argv, cwd, env }: Exec, folder: string): Promise<Result<Child>> {
  const [program, ...words] = argv;
  try {
    const child = spawn(program, words, {
      cwd: cwd ?? folder,
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // The program has its own process group, so that all its children can be killed.
      detached: true,
    });
    await once(child, "spawn");
    return accept(child);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function findExitFault(code: number | null, end: "timeout" | "exit", seconds: number): ActionFault | undefined {
  if (end === "timeout") return { code: "exec_timed_out", message: `it ran longer than ${seconds} s` };
  if (code === 0) return undefined;
  return { code: "exit_status", message: code === null ? "a signal ended it" : `it ended with ${code}` };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process group no longer exists.
  }
}

/**
 * Returns a function that returns the first bytes of the output so far. Further output is read and dropped, so that the program is
 * not blocked.
 */
function collectOutput(stream: Readable): () => { readonly text: string; readonly truncated: boolean } {
  const kept: Uint8Array[] = [];
  let length = 0;
  stream.on("data", (chunk: Uint8Array) => {
    if (length < MOST_OUTPUT) kept.push(chunk.subarray(0, MOST_OUTPUT - length));
    length += chunk.length;
  });
  return () => {
    const text = Buffer.concat(kept).toString("utf8");
    return length > MOST_OUTPUT ? { text: text + TRUNCATED, truncated: true } : { text, truncated: false };
  };
}
