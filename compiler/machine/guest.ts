// Runs QEMU, or the program of a run on this host. Passes the bytes of its console in both directions, and reports its
// CPU time and its end.

import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import type { Readable, Writable } from "node:stream";
import { readConsole } from "./chat/console.ts";
import { readCpuSeconds, readWaitedSeconds } from "./cpu-time.ts";
import { explainNotStarted } from "./programs.ts";

export type GuestEnd =
  | { readonly kind: "exited"; readonly status: number }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "neverStarted"; readonly reason: string };

export interface RunningGuest {
  readonly type: (keystrokes: string) => void;
  readonly cpuSeconds: () => number;
  /** Returns the seconds for which the guest waited because other processes of this host ran. */
  readonly waitedSeconds: () => number;
  readonly kill: () => void;
  /** Resolves after the last byte of the console was passed to `onBytes`. */
  readonly ended: Promise<GuestEnd>;
}

/** Starts a guest for a script. The standard error of `program`, such as QEMU, goes to `onComplaint`. */
export function startScripted(
  program: string,
  words: readonly string[],
  onBytes: (bytes: Uint8Array) => void,
  onComplaint: (text: string) => void,
): RunningGuest {
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"] });
  const { stdin, stdout, stderr }: { stdin: Writable; stdout: Readable; stderr: Readable } = child;
  stdout.on("data", onBytes);
  stderr.setEncoding("utf8").on("data", onComplaint);
  // Keys typed just after the guest has ended are lost, as they would be for a person.
  stdin.on("error", () => {});
  let [cpu, waited] = [0, 0];
  return {
    type: (keystrokes) => void stdin.write(keystrokes),
    cpuSeconds: () => {
      // After the process has ended, its last CPU time is returned.
      cpu = readCpuSeconds(child.pid) ?? cpu;
      return cpu;
    },
    waitedSeconds: () => {
      // If a thread has ended meanwhile and its time is lost, the earlier, larger value is returned.
      waited = Math.max(waited, readWaitedSeconds(child.pid));
      return waited;
    },
    kill: () => void child.kill("SIGKILL"),
    ended: endOf(child, program),
  };
}

interface InteractiveGuest {
  readonly program: string;
  readonly words: readonly string[];
  readonly stop: AbortSignal;
  /** Line that is typed at the first prompt. */
  readonly say: string | undefined;
}

/** Starts a guest for a person; the guest uses the terminal until the guest ends. */
export async function startInteractive({ program, words, stop, say }: InteractiveGuest): Promise<GuestEnd> {
  if (say !== undefined) return await startRelayed({ program, words, stop, say });
  return await endOrStop(spawn(program, words, { stdio: "inherit" }), program, stop);
}

/** Starts a guest, and types one line at its first prompt. Until the guest ends, it gets all keys of the person. */
async function startRelayed({
  program,
  words,
  stop,
  say,
}: InteractiveGuest & { readonly say: string }): Promise<GuestEnd> {
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  const { stdin, stdout }: { stdin: Writable; stdout: Readable } = child;
  const reader = readConsole();
  let isSaid = false;
  stdout.on("data", (bytes: Uint8Array) => {
    process.stdout.write(bytes);
    if (isSaid || !reader.push(bytes).some((seen) => seen.kind === "asks" && seen.for === "line")) return;
    isSaid = true;
    stdin.write(`${say}\r`);
  });
  // Keys typed just after the guest has ended are lost.
  stdin.on("error", () => {});
  const pass = (bytes: Uint8Array): void => void stdin.write(bytes);
  process.stdin.setRawMode?.(true);
  process.stdin.on("data", pass);
  try {
    return await endOrStop(child, program, stop);
  } finally {
    process.stdin.off("data", pass).pause();
    process.stdin.setRawMode?.(false);
  }
}

/** Returns how the guest ended. Returns `undefined` for status 0. */
export function explainEnd(end: GuestEnd): string | undefined {
  if (end.kind === "exited") return end.status === 0 ? undefined : `status ${end.status}`;
  return end.kind === "killed" ? end.signal : end.reason;
}

function endOrStop(child: ChildProcess, program: string, stop: AbortSignal): Promise<GuestEnd> {
  const end = (): void => void child.kill("SIGTERM");
  // If the signal fired before the guest existed, it will not fire again, so the guest is stopped here.
  if (stop.aborted) end();
  else stop.addEventListener("abort", end, { once: true });
  return endOf(child, program);
}

function endOf(child: ChildProcess, program: string): Promise<GuestEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ kind: "neverStarted", reason: explainNoGuest(program, error) }));
    child.once("close", (status, signal) =>
      resolve(signal === null ? { kind: "exited", status: status ?? -1 } : { kind: "killed", signal }),
    );
  });
}

/** Debian packages of programs that run as guests; `capos-host` is missing here, because it is a part of capc. */
const DEBIAN_PACKAGES: Readonly<Record<string, string>> = { "qemu-system-x86_64": "qemu-system-x86" };

function explainNoGuest(program: string, error: Error): string {
  const name = basename(program);
  const debianPackage = Object.hasOwn(DEBIAN_PACKAGES, name) ? DEBIAN_PACKAGES[name] : undefined;
  if (debianPackage !== undefined) return explainNotStarted(name, debianPackage, error);
  const isMissing = "code" in error && error.code === "ENOENT";
  const reason = isMissing ? "it is missing from this installation of capc; install capc again" : error.message;
  return `${program} cannot be started: ${reason}`;
}
