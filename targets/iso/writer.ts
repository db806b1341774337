// Runs a writer of images: the xorriso of this checkout, compiled to WebAssembly, or the system's xorriso. Both writers give
// the same bytes. Each writer runs in a separate process, so it may fail or be killed without affecting this process, and
// its memory is freed when it ends.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const WRITERS = ["wasm", "native"] as const;

export type Writer = (typeof WRITERS)[number];

/** The writer that is available on every machine. */
export const DEFAULT_WRITER: Writer = "wasm";

export type IsoWritten = { readonly ok: true } | { readonly ok: false; readonly reason: string };

interface Writing {
  readonly writer: Writer;
  /** Arguments of xorriso. */
  readonly words: readonly string[];
  /** Seconds since 1970: the time of the volume, from which xorriso also derives identifiers. */
  readonly sourceDateEpoch: number;
  /** Receives the written percentage while xorriso runs. The system's xorriso does not report a percentage. */
  readonly progress: ((hundredths: number) => void) | undefined;
}

const PACKAGE = new URL("../xorriso-wasm/", import.meta.url);
const PROGRAM = fileURLToPath(new URL("xorriso-program.mjs", PACKAGE));

/** Runs xorriso. If xorriso is missing or fails, the reason is returned, not thrown. */
export function runXorriso({ writer, words, sourceDateEpoch, progress }: Writing): Promise<IsoWritten> {
  const [program, ...first] = getCommand(writer);
  // With this locale the names in an image are exactly the given names, whatever the locale of the machine.
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

/** Maximum UTF-16 units of stored messages. The last messages are stored, because they describe the error. */
const MOST_KEPT = 4096;

const WRITTEN = /^written (\d{1,3}) %$/;

/** Splits standard error into progress lines and messages, and stores the last messages. */
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

/**
 * Returns a writer's version, or `undefined` if the writer is missing. Two writers with the same version write the same
 * bytes.
 */
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

/**
 * Returns the digest of `xorriso.wasm` that the package records, or `undefined` if the package is missing. A test of
 * the package compares the record with the file.
 */
function digestOfProgram(): string | undefined {
  try {
    const made: { files?: Record<string, string> } = JSON.parse(
      readFileSync(new URL("generated/made.json", PACKAGE), "utf8"),
    );
    return made.files?.["xorriso.wasm"];
  } catch {
    // A missing package is not reported here, because the writer reports it when it runs.
    return undefined;
  }
}
