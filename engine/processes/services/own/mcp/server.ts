// Runs a server of the Model Context Protocol inside this process: in a thread whose standard input and output carry the protocol.
// The thread needs no separate process, which the jail would forbid.

import { Worker } from "node:worker_threads";
import { isRecord, readJson } from "../../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../../lib/result/result.ts";
import type { ServiceMethods } from "../../../../lib/wire/generated/service.ts";
import type { OwnMethod } from "../program.ts";
import { createClient } from "./client.ts";
import type { UnreadableLine } from "./lines.ts";

/** Maximum heap of the worker in MiB, besides the heap of the process itself (targets/manifest/roles.ts). */
const MAX_HEAP_MIB = 48;
/**
 * Some lines of a server are not messages. At most this many of them are reported in the machine's log, with a maximum
 * of characters for each.
 */
const MAX_TOLD = 5;
const MAX_TOLD_TEXT = 120;
/**
 * Timeout of the server's start in milliseconds. A working server answers sooner even on a slow machine; without this
 * limit, init would wait forever.
 */
const OPENS_WITHIN_MS = 60_000;

export interface Running {
  readonly methods: ReadonlyMap<number, OwnMethod>;
  /** Resolves with the reason when the server has ended, which is an error. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<unknown>;
}

/**
 * Starts the server. The server gets its directory as `CAPOS_DATA`, and nothing else of this process's environment. Fails if the server
 * ends, does not begin in time, or must not be used.
 */
export async function startServer(
  source: Uint8Array,
  { methods, toolList }: ServiceMethods,
  directory: string | undefined,
  opensWithinMs = OPENS_WITHIN_MS,
): Promise<Result<Running>> {
  const address = new URL(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
  const worker = new Worker(address, {
    stdin: true,
    stdout: true,
    env: directory === undefined ? {} : { CAPOS_DATA: directory },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  const ended = new Promise<string>((resolve) => {
    worker.once("error", (error) => resolve(`the server failed: ${error instanceof Error ? error.message : error}`));
    worker.once("exit", (code) => resolve(`the server ended (${code})`));
  });
  const skipped: UnreadableLine[] = [];
  const client = createClient(worker.stdin ?? failUnpiped(), worker.stdout, toolList, (line) => {
    if (skipped.length === MAX_TOLD) return;
    skipped.push(line);
    process.stderr.write(`${describeSkippedLine(line)}\n`);
  });
  const opening = new AbortController();
  const late = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve("it does not begin in time"), opensWithinMs);
    opening.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  const fault = await Promise.race([client.open(), ended, late]);
  opening.abort();
  if (fault !== undefined) {
    await worker.terminate();
    return refuse([fault, ...skipped.slice(0, 1).map(describeSkippedLine)].join("; "));
  }
  const called = methods.map((method): [number, OwnMethod] => [
    method.ordinal,
    {
      method,
      answer: async (args, { signal }) => unwrapAnswer(await client.call(method, convertArguments(args), signal)),
    },
  ]);
  return accept({ methods: new Map(called), ended, stop: () => worker.terminate() });
}

/** Returns the line of the machine's log about a line that is not a message. A program should write such lines to standard error. */
function describeSkippedLine({ reason, text }: UnreadableLine): string {
  return `the server writes to standard output what is not a message: ${reason}: ${JSON.stringify(text.slice(0, MAX_TOLD_TEXT))}`;
}

function failUnpiped(): never {
  throw new Error("a worker with a standard input has one");
}

/**
 * Returns the arguments of a call as a JSON record. They came from JSON and were checked before, so nothing is lost.
 */
function convertArguments(args: unknown) {
  const read = readJson(JSON.stringify(args));
  return read.ok && isRecord(read.value) ? read.value : {};
}

/**
 * Returns the value of an answer. Throws the reason of a failure, because a module's function reports a failure to its
 * caller in this way.
 */
function unwrapAnswer<T>(answer: Result<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(answer.reason);
}
