// Opens a serial line of this machine as a stream of bytes in both directions. It is raw, so that the terminal interprets no byte of a
// frame.

import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Duplex } from "node:stream";
import { isatty, ReadStream, WriteStream } from "node:tty";
import type { Result } from "../../../engine/lib/result/result.ts";
import { explainRefusal } from "../../host/files.ts";

/** Settings of `stty`. `clocal` allows a cable without a carrier wire. None of them changes the speed of the line. */
const RAW = ["raw", "-echo", "-echoe", "-echok", "clocal"];
const SET_MS = 10_000;

export function openSerial(path: string): Result<Duplex> {
  try {
    // The line never becomes the controlling terminal of this process, because a Ctrl-C on it belongs to the kernel. Opening the line does
    // not wait for a carrier, either.
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    const why = isatty(descriptor) ? makeRaw(descriptor) : "is no serial line";
    if (why !== undefined) {
      closeSync(descriptor);
      return { ok: false, reason: `${path} ${why}` };
    }
    const streams = { readable: new ReadStream(descriptor), writable: new WriteStream(descriptor) };
    return { ok: true, value: Duplex.from(streams) };
  } catch (error) {
    return { ok: false, reason: explainRefusal(path, error) };
  }
}

/**
 * Makes the line raw with `stty`, and returns the reason if that fails. Node's own raw mode still writes a carriage
 * return before each line feed, which would change a frame.
 */
function makeRaw(descriptor: number): string | undefined {
  const { status, error, stderr } = spawnSync("stty", RAW, {
    stdio: [descriptor, "ignore", "pipe"],
    encoding: "utf8",
    timeout: SET_MS,
  });
  return status === 0 ? undefined : `cannot be made raw: ${error?.message ?? stderr.trim()}`;
}
