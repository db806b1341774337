// Runs one program: its words as they are, an environment of nothing but what was given, no input, bounded output, bounded time.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { ActionFault, ExecAnswer, RefusalAnswer } from "../answer.ts";
import { MOST_OUTPUT } from "../limits.ts";
import type { Exec } from "../plan.ts";

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Stands at the end of an output that is not whole. */
const TRUNCATED = "\n[truncated]";
/** For output, behind the end of a program. */
const LEFT_OPEN_MS = 1000;

/** `folder`: where it runs if nothing else is said. Runs on until its time is over, or `signal` fires. */
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
  // A process that left the group may hold our ends of its output for as long as it likes.
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

/** Some of what the system refuses is thrown at once, and some is told later. */
async function begin({ argv, cwd, env }: Exec, folder: string): Promise<Result<Child>> {
  const [program, ...words] = argv;
  try {
    const child = spawn(program, words, {
      cwd: cwd ?? folder,
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: what it started ends with it.
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
    // The group is gone.
  }
}

/** The first bytes so far; all that follows is read and dropped, so that the program does not wait for us. */
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
