// Writers of an image: xorriso, compiled to WebAssembly and in this checkout, or the system's own. Both give the same bytes. Either is
// a process of its own: it may fail or be ended without us, and its memory is gone with it.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const WRITERS = ["wasm", "native"] as const;

export type Writer = (typeof WRITERS)[number];

/** The one that every machine has. */
export const DEFAULT_WRITER: Writer = "wasm";

export type IsoWritten = { readonly ok: true } | { readonly ok: false; readonly reason: string };

interface Writing {
  readonly writer: Writer;
  /** Arguments of xorriso. */
  readonly words: readonly string[];
  /** Seconds since 1970: the times of the volume, and the identifiers that xorriso makes of times. */
  readonly sourceDateEpoch: number;
  /** Is told how many hundredths are written, as long as it goes on. The system's xorriso does not say. */
  readonly progress: ((hundredths: number) => void) | undefined;
}

const PACKAGE = new URL("../xorriso-wasm/", import.meta.url);
const PROGRAM = fileURLToPath(new URL("xorriso-program.mjs", PACKAGE));

/** Neither a xorriso that is missing nor its failure is thrown. */
export function runXorriso({ writer, words, sourceDateEpoch, progress }: Writing): Promise<IsoWritten> {
  const [program, ...first] = getCommand(writer);
  // Names in an image are those that were given, whatever the language of the machine.
  const said = { LC_ALL: "C.UTF-8", TZ: "UTC", SOURCE_DATE_EPOCH: `${sourceDateEpoch}` };
  const env = writer === "wasm" ? said : { ...process.env, ...said };
  return new Promise((resolve) => {
    const child = spawn(program, [...first, "-no_rc", ...words], { env, stdio: ["ignore", "ignore", "pipe"] });
    const messages = collectMessages(progress);
    child.stderr.setEncoding("utf8").on("data", messages.take);
    child.once("error", ({ message }) => resolve({ ok: false, reason: describeStartFailure(writer, message) }));
    child.once("close", (status, signal) => {
      const ended = signal === null ? `xorriso: status ${status}` : `xorriso was ended by ${signal}`;
      resolve(status === 0 ? { ok: true } : { ok: false, reason: messages.rest() || ended });
    });
  });
}

function getCommand(writer: Writer): readonly [string, ...string[]] {
  switch (writer) {
    case "wasm":
      return [process.execPath, PROGRAM];
    case "native":
      return ["xorriso"];
  }
}

function describeStartFailure(writer: Writer, message: string): string {
  switch (writer) {
    case "wasm":
      return `Node could not be started: ${message}`;
    case "native":
      return "xorriso is not installed (Debian package xorriso)";
  }
}

/** Maximum UTF-16 units of its messages that are kept: its last words are what is wrong. */
const MOST_KEPT = 4096;

const WRITTEN = /^written (\d{1,3}) %$/;

/** Takes apart what comes on standard error: lines that say how far it is, and its messages, of which the last are kept. */
function collectMessages(progress: Writing["progress"]): { take: (text: string) => void; rest: () => string } {
  let kept = "";
  let begun = "";
  return {
    take: (text) => {
      const lines = (begun + text).split("\n");
      begun = (lines.pop() ?? "").slice(-MOST_KEPT);
      for (const line of lines) {
        const hundredths = WRITTEN.exec(line)?.[1];
        if (hundredths === undefined) kept = `${kept}${line}\n`.slice(-MOST_KEPT);
        else progress?.(Number(hundredths));
      }
    },
    rest: () => `${kept}${begun}`.trim(),
  };
}

/** Two writers that say the same of themselves write the same bytes; nothing where there is none. */
export function readWriterVersion(writer: Writer): string | undefined {
  switch (writer) {
    case "wasm":
      return digestOfProgram();
    case "native": {
      const { error, stdout } = spawnSync("xorriso", ["-version"], { encoding: "utf8" });
      return error === undefined ? /^xorriso version.*$/m.exec(stdout)?.[0] : undefined;
    }
  }
}

/** As its package says of itself; a test of the package compares it with what lies there. */
function digestOfProgram(): string | undefined {
  try {
    const made: { files?: Record<string, string> } = JSON.parse(
      readFileSync(new URL("generated/made.json", PACKAGE), "utf8"),
    );
    return made.files?.["xorriso.wasm"];
  } catch {
    // The writer itself says what is missing when it is used.
    return undefined;
  }
}
