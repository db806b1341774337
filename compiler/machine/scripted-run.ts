// Runs a whole script: starts the guest, plays the script on its console, waits for its end, and reads the effects back
// from the disk. The run waits for conditions; the deadlines only end a run that hangs.

import type { Result } from "../../engine/lib/result/result.ts";
import { type AcknowledgedRecord, parseAcknowledged } from "./chat/acknowledged-record.ts";
import { type ConsoleEvent, type ConsoleReader, readConsole } from "./chat/console.ts";
import { playScript, type Signer } from "./chat/play.ts";
import type { Script } from "./chat/script.ts";
import type { Verdict } from "./chat/verdict.ts";
import { explainEnd, type GuestEnd, type RunningGuest, startScripted } from "./guest.ts";
import { HOST_CLEAN_END, UNFIT_HOST } from "./on-host.ts";

interface ScriptedRun {
  readonly verdicts: readonly Verdict[];
  readonly cpuSeconds: number;
  /** Records of the audit log that the console showed as written to the disk, in order. */
  readonly acknowledged: readonly AcknowledgedRecord[];
}

export interface Limits {
  /**
   * Maximum CPU time of QEMU, in seconds. A boot under emulation takes about ten seconds, and the longest script of the
   * examples takes 140 seconds. On a busy host, both times are 50 % longer.
   */
  readonly cpuSeconds: number;
  /**
   * Limit in seconds for a guest that waits forever without using CPU time. Time for which the guest waited for busy processors of the host
   * does not count.
   */
  readonly wallSeconds: number;
  /** Maximum bytes of the console's output; a guest that prints more is terminated. */
  readonly consoleBytes: number;
}

export const LIMITS: Limits = { cpuSeconds: 400, wallSeconds: 900, consoleBytes: 8 * 1024 * 1024 };

/**
 * Last lines that init prints, after everything is stopped, synced and unmounted: `CLEAN_ENDS` if a person ended the
 * run, `STOPPED_END` if a process died.
 */
const CLEAN_ENDS = { machine: "capos: powered off cleanly", host: HOST_CLEAN_END } as const;
const STOPPED_END = "capos: stopped";

/** Exit status of a run on a host, if the run stopped because a process died. */
const BROKEN_RUN = 1;

const PROGRAM_NAMES = { machine: "QEMU", host: "capos-host" } as const;

/** Message after which OVMF waits for a key forever. */
const NOTHING_STARTED = "BdsDxe: No bootable option or device was found.";

interface RunOrder {
  /** QEMU, or the program of a run on this host. */
  readonly program: string;
  readonly kind?: "machine" | "host";
  /** The program's command line. */
  readonly words: readonly string[];
  readonly script: Script;
  readonly sign: Signer;
  /** Passphrase of an encrypted data disk. */
  readonly passphrase?: string | undefined;
  /** Receives each line of the console. */
  readonly show: (line: string) => void;
  readonly interrupted: AbortSignal;
  readonly limits?: Limits;
}

export async function runScript(order: RunOrder): Promise<Result<ScriptedRun>> {
  const { program, kind = "machine", words, script, show, interrupted, limits = LIMITS } = order;
  const play = playScript(script, order.sign, order.passphrase);
  const reader = readConsole();
  let bytesLeft = limits.consoleBytes;
  const lastWords = script.isStopped ? STOPPED_END : CLEAN_ENDS[kind];
  /**
   * Expected exit status. After a stop because a process died, a machine is switched off and exits with 0, but a run on
   * a host exits with another status.
   */
  const status = kind === "host" && script.isStopped ? BROKEN_RUN : 0;
  let endedWell = false;
  let tooLong: string | undefined;
  const complaints: string[] = [];
  const acknowledged: AcknowledgedRecord[] = [];

  const take = (seen: ConsoleEvent): void => {
    if (seen.kind === "line" || seen.kind === "echo") show(seen.text);
    if (seen.kind === "line") {
      endedWell ||= seen.text === lastWords;
      if (seen.text.startsWith(NOTHING_STARTED)) end("its firmware found nothing that it may start");
      acknowledged.push(...[parseAcknowledged(seen.text)].filter((one) => one !== undefined));
    }
    const keystrokes = play.see(seen);
    if (keystrokes !== undefined) guest.type(keystrokes);
  };
  const handleBytes = (bytes: Uint8Array): void => {
    bytesLeft -= bytes.length;
    if (bytesLeft < 0) end("it printed more than a console may");
    else for (const seen of reader.push(bytes)) take(seen);
  };
  const end = (reason: string): void => {
    tooLong ??= reason;
    guest.kill();
  };
  const guest: RunningGuest = startScripted(program, words, handleBytes, (text) => complaints.push(text));
  const stopWatching = watch(guest, limits, interrupted, end);
  const ended = await guest.ended;
  stopWatching();
  for (const seen of reader.end()) take(seen);
  showRest(reader, show);
  if (ended.kind === "neverStarted") return { ok: false, reason: ended.reason };
  if (interrupted.aborted) return { ok: false, reason: "interrupted; the guest was ended" };
  if (kind === "host" && ended.kind === "exited" && ended.status === UNFIT_HOST)
    return {
      ok: false,
      reason: complaints
        .join("")
        .replaceAll(/^capc: /gm, "")
        .trim(),
    };
  for (const complaint of complaints.join("").trim().split("\n")) if (complaint !== "") show(complaint);
  const verdicts = [
    ...play.end(),
    judgeEnd(lastWords, endedWell ? "well" : "badly"),
    judgeProgram(ended, { name: PROGRAM_NAMES[kind], status }, tooLong),
  ];
  return { ok: true, value: { verdicts, cpuSeconds: guest.cpuSeconds(), acknowledged } };
}

function showRest(reader: ConsoleReader, show: (line: string) => void): void {
  const rest = reader.rest();
  if (rest !== "") show(rest);
}

const LOOK_EVERY_MS = 250;

/** Checks the deadlines regularly; returns a function that stops the checks. */
function watch(
  guest: RunningGuest,
  limits: Limits,
  interrupted: AbortSignal,
  end: (reason: string) => void,
): () => void {
  const started = performance.now();
  const look = setInterval(() => {
    if (guest.cpuSeconds() > limits.cpuSeconds) end(`it used more than ${limits.cpuSeconds} seconds of CPU`);
    if (performance.now() - started > (limits.wallSeconds + guest.waitedSeconds()) * 1000)
      end(`it ran longer than ${limits.wallSeconds} seconds`);
  }, LOOK_EVERY_MS);
  const stop = (): void => end("interrupted");
  // If the signal fired before the guest existed, it will not fire again, so the guest is stopped here.
  if (interrupted.aborted) stop();
  else interrupted.addEventListener("abort", stop, { once: true });
  return () => {
    clearInterval(look);
    interrupted.removeEventListener("abort", stop);
  };
}

function judgeEnd(lastWords: string, end: "well" | "badly"): Verdict {
  const words = `the machine says '${lastWords}'`;
  return { line: 0, passed: end === "well", words: end === "well" ? words : `${words}; it did not` };
}

function judgeProgram(
  ended: GuestEnd,
  { name, status }: { readonly name: string; readonly status: number },
  tooLong: string | undefined,
): Verdict {
  const passed = ended.kind === "exited" && ended.status === status;
  const words = `${name} ends with status ${status}`;
  if (passed) return { line: 0, passed, words };
  const found = explainEnd(ended) ?? "status 0";
  return { line: 0, passed, words: `${words}; ${tooLong === undefined ? found : `it was ended: ${tooLong}`}` };
}
