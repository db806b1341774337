import type { Readable } from "node:stream";
import { StreamMessageReader } from "vscode-languageserver/node";
import { Framing } from "./framing.ts";
import { parseMessage } from "./message.ts";

/** What an editor sends. */
interface Reading {
  readonly reader: StreamMessageReader;
  /** When nothing more comes: why it cannot be read on; nothing where the editor has ended it. */
  readonly ended: Promise<string | undefined>;
}

/** `untold`: told of each message that is not read, and goes on. */
export function startReading(input: Readable, untold: (reason: string) => void): Reading {
  const framing = new Framing(untold);
  const contentTypeDecoder = { name: "application/json", decode: parseMessage };
  const reader = new StreamMessageReader(framing, { charset: "utf-8", contentTypeDecoder });
  const ended = new Promise<string | undefined>((resolve) => {
    framing.on("end", () => resolve(framing.broken));
  });
  reader.onError(({ message }) => untold(message));
  input.on("error", () => framing.end());
  input.pipe(framing);
  return { reader, ended };
}
