// Defines the interface through which a command uses the machine. Commands receive this interface as a parameter, so
// that tests can run them in memory.

import { explainRefusal } from "./files.ts";

/** 0: success. 1: findings. 2: wrong use. 3: an error of the environment, or interrupted. */
export type ExitStatus = 0 | 1 | 2 | 3;

export interface World {
  /** Folder to which relative paths refer. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether standard input is a terminal; if not, the command must not ask a person. */
  readonly inputIsTerminal: boolean;
  /** Whether standard error is a terminal; if not, capc writes no colours and no progress to it. */
  readonly errorIsTerminal: boolean;
  /** Whether standard output is a terminal; if not, results have no colours. */
  readonly outputIsTerminal: boolean;
  /** Returns at most `most + 1` bytes of standard input: more than `most` bytes mean that the input is too long. */
  readonly readInput: (most: number) => Promise<Uint8Array>;
  /**
   * Asks a person at the terminal, and returns the typed line; `undefined` if the input ends. May be called only if
   * `inputIsTerminal` is true.
   */
  readonly askLine: (question: string) => Promise<string | undefined>;
  /** Width of the terminal that shows standard output; `undefined` if it is not a terminal. */
  readonly outputColumns?: number | undefined;
  /** Writes the result of the command to standard output. */
  readonly print: (text: string) => void;
  /** Writes to standard error: diagnostics, progress, reasons. */
  readonly report: (text: string) => void;
  /** Fires when a person or a supervisor wants the command to end. */
  readonly interrupted: AbortSignal;
}

/** Returns whether a signal arrived, even if the command blocked the event loop meanwhile, for example while another program ran. */
export async function isInterrupted(world: World): Promise<boolean> {
  // Node.js delivers signals only when it polls for events. It may run the first of these two callbacks before it
  // polls, but it always polls before the second one.
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return world.interrupted.aborted;
}

export function createProcessWorld(): World {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      // A second signal ends the process at once, because the command might compute for long or hang.
      if (interrupt.signal.aborted) {
        openErrors().write("capc: interrupted\n");
        process.exit(3);
      }
      interrupt.abort();
    });
  return {
    folder: process.cwd(),
    environment: process.env,
    get inputIsTerminal() {
      return process.stdin.isTTY === true;
    },
    get errorIsTerminal() {
      return openErrors().isTTY === true;
    },
    get outputIsTerminal() {
      return openOutput().isTTY === true;
    },
    get outputColumns() {
      return openOutput().isTTY === true ? openOutput().columns : undefined;
    },
    readInput,
    askLine,
    print: (text) => void openOutput().write(text),
    report: (text) => void openErrors().write(text),
    interrupted: interrupt.signal,
  };
}

// Node.js makes a standard stream when the program first uses it, and only then loads the code for this kind of stream. So a command
// creates only the streams that it uses.

let output: NodeJS.WriteStream | undefined;
let errors: NodeJS.WriteStream | undefined;

/** Returns standard output. The process ends if writing to it fails. */
export function openOutput(): NodeJS.WriteStream {
  output ??= process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // It is not an error if a reader stops early, as in `capc inspect … | head`. Writing only a part of a file is an error.
    if (error.code === "EPIPE") process.exit(0);
    openErrors().write(`capc: ${explainRefusal("standard output", error)}\n`);
    process.exit(3);
  });
  return output;
}

function openErrors(): NodeJS.WriteStream {
  // If standard error fails, the error cannot be reported; the exit status still shows how the command ended.
  errors ??= process.stderr.on("error", () => {});
  return errors;
}

/**
 * Ends the process without freeing its heap: freeing takes 4 % of the time of a check of ten thousand tools. If output
 * is still waiting to be written, the function returns, and the process ends when the output is written.
 */
export async function endProcess(): Promise<void> {
  // Before it ends, the process waits for one turn of the event loop. Errors of earlier writes arrive in this turn, and
  // change the exit status.
  await new Promise((resolve) => setImmediate(resolve));
  if ((output?.writableLength ?? 0) + (errors?.writableLength ?? 0) === 0) process.exit();
}

async function readInput(most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) break;
  }
  return Buffer.concat(chunks).subarray(0, most + 1);
}

async function askLine(question: string): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  const editor = createInterface({ input: process.stdin, output: openErrors() });
  const line = await new Promise<string | undefined>((resolve) => {
    editor.once("close", () => resolve(undefined));
    // Without this listener the line editor would ignore Ctrl-C.
    editor.once("SIGINT", () => editor.close());
    editor.question(question, resolve);
  });
  editor.close();
  if (line === undefined) openErrors().write("\n");
  return line;
}
