// A serial line of this machine, as a stream of bytes both ways: raw, so that no byte of a frame means anything to the terminal.

import { constants, openSync } from "node:fs";
import { Duplex } from "node:stream";
import { isatty, ReadStream, WriteStream } from "node:tty";
import { type FileRead, whyNot } from "../files.ts";

export function openSerial(path: string): FileRead<Duplex> {
  try {
    // It never becomes this process's own terminal: Ctrl-C on it would be a kernel's.
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
    if (!isatty(descriptor)) return { ok: false, reason: `${path} is no serial line` };
    const readable = new ReadStream(descriptor);
    readable.setRawMode(true);
    return { ok: true, value: Duplex.from({ readable, writable: new WriteStream(descriptor) }) };
  } catch (error) {
    return { ok: false, reason: whyNot(path, error) };
  }
}
