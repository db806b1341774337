// Runs one program without a shell. It gets exactly the given arguments and environment, and no input; its output and its time are limited.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { ActionFault, ExecAnswer, RefusalAnswer } from "../answer.ts";
import { MOST_OUTPUT } from "../limits.ts";
import type { Exec } from "../plan.ts";

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Mark at the end of truncated output. */
const TRUNCATED = "\n[truncated]";
/** Time in milliseconds to read remaining output after a program has ended. */
const LEFT_OPEN_MS = 1000;

/** Runs the program until it ends, its timeout expires or `signal` fires. `folder` is the default working directory. */
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
  // A process that has left the group may keep the output open forever, so it is closed after a while.
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

/** Starts the program. Both kinds of errors are returned: those that `spawn` throws, and those that it emits later. */
async function begin({ argv, cwd, env }: Exec, folder: string): Promise<Result<Child>> {
  const [program, ...words] = argv;
  try {
    const child = spawn(program, words, {
      cwd: cwd ?? folder,
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // The program gets its own process group, so that processes that it starts are killed with it.
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
    // The group has already ended.
  }
}

/** Collects the first bytes of an output. Later bytes are read and dropped, so that the program does not block. */
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
