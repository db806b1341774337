// A passphrase that a file holds, for programs that nobody types to.

import type { Result } from "../../../engine/lib/result/result.ts";
import { readText } from "../../host/files.ts";

/** As long as init takes one, and of nothing that acts on the line instead of standing in it. */
const PASSPHRASE = /^\P{Cc}+$/u;
const MOST_BYTES = 512;

/** What stands in the file's one line. */
export function readPassphrase(path: string): Result<string> {
  const read = readText(path);
  if (!read.ok) return read;
  const text = read.value.replace(/\n$/, "");
  return PASSPHRASE.test(text) && Buffer.byteLength(text) <= MOST_BYTES
    ? { ok: true, value: text }
    : { ok: false, reason: `${path}: a passphrase is one line of 1 to ${MOST_BYTES} bytes` };
}
