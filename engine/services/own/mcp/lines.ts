// JSON-RPC in lines, as MCP speaks it over a program's standard input and output. What comes is a stranger's: bounded before it
// is read.

import type { Readable } from "node:stream";
import { type Checked, isRecord, type JsonRecord, readJson, refuse } from "../../../policy/index.ts";

/** Of one line: what a server lists, or answers with. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Calls `heed` with each object that comes, and `fail` once with what is none; nothing is read after that. */
export function readLines(stream: Readable, heed: (message: JsonRecord) => void, fail: (reason: string) => void): void {
  let pending: Buffer[] = [];
  let size = 0;
  const giveUp = (reason: string): void => {
    stream.removeAllListeners("data");
    stream.destroy();
    pending = [];
    fail(reason);
  };
  stream.on("data", (piece: Buffer) => {
    let rest = piece;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...pending, rest.subarray(0, end)]);
      rest = rest.subarray(end + 1);
      [pending, size] = [[], 0];
      const message = line.length > MAX_LINE_BYTES ? TOO_LONG : messageIn(line);
      if (!message.ok) return giveUp(message.reason);
      heed(message.value);
    }
    pending.push(rest);
    size += rest.length;
    if (size > MAX_LINE_BYTES) giveUp(TOO_LONG.reason);
  });
}

const TOO_LONG = refuse(`it writes a line above ${MAX_LINE_BYTES} bytes`);

function messageIn(line: Buffer): Checked<JsonRecord> {
  const read = readJson(line.toString("utf8"));
  if (!read.ok) return refuse(`it writes what is no JSON: ${read.reason}`);
  return isRecord(read.value) ? { ok: true, value: read.value } : refuse("it writes JSON that is no object");
}
