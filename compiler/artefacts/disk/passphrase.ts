// Reads a passphrase from a file, for programs that run without a person.

import type { Result } from "../../../engine/lib/result/result.ts";
import { readText } from "../../host/files.ts";

/**
 * Limits of a passphrase, the same as in init. Control characters are refused, because a terminal interprets them as commands and does not
 * show them.
 */
const PASSPHRASE = /^\P{Cc}+$/u;
const MOST_BYTES = 512;

/**
 * Returns the only line of the file. Fails if the file cannot be read, or is not one line of 1 to 512 bytes without control characters.
 */
export function readPassphrase(path: string): Result<string> {
  const read = readText(path);
  if (!read.ok) return read;
  const text = read.value.replace(/\n$/, "");
  return PASSPHRASE.test(text) && Buffer.byteLength(text) <= MOST_BYTES
    ? { ok: true, value: text }
    : { ok: false, reason: `${path}: a passphrase is one line of 1 to ${MOST_BYTES} bytes` };
}
