import type { Readable } from "node:stream";
import { StreamMessageReader } from "vscode-languageserver/node";
import { Framing, type Skipped } from "./framing.ts";
import { parseMessage } from "./message.ts";

/** Messages of an editor, and the end of its stream. */
interface Reading {
  readonly reader: StreamMessageReader;
  /** Resolves when the stream ends: with the reason if it cannot be read further, or with `undefined` if the editor ended it. */
  readonly ended: Promise<string | undefined>;
}

/** Starts to read messages. */
export function startReading(input: Readable, skipped: Skipped): Reading {
  const framing = new Framing(skipped);
  const contentTypeDecoder = { name: "application/json", decode: parseMessage };
  const reader = new StreamMessageReader(framing, { charset: "utf-8", contentTypeDecoder });
  const ended = new Promise<string | undefined>((resolve) => {
    framing.on("end", () => resolve(framing.broken));
  });
  reader.onError(({ message }) => skipped.malformed(message));
  input.on("error", () => framing.end());
  input.pipe(framing);
  return { reader, ended };
}
