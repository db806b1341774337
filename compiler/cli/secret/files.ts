// Reads and writes the files of sealed credentials beside a page. Each credential has one file, which is complete or
// absent.

import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { Secret } from "../../../engine/lib/wire/generated/egress.ts";
import { encodeSecret, MOST_SEALED_BYTES, readSecret } from "../../../engine/processes/egress/sealing.ts";
import { explainRefusal, isRefusal, makeFolders, readBytes } from "../../host/files.ts";

const ENDING = ".sealed";

export function getSealedPath(folder: string, name: string): string {
  return join(folder, `${name}${ENDING}`);
}

/** Returns the names of the sealed credentials in a folder, in code-unit order; none if the folder does not exist. */
export function listSealed(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).sort();
}

/** Reads a sealed credential. Fails if the credential in the file has another name than the file. */
export function readSealed(folder: string, name: string): Result<Secret> {
  const path = getSealedPath(folder, name);
  const read = readBytes(path, MOST_SEALED_BYTES);
  if (!read.ok) return read;
  const secret = readSecret(read.value.bytes);
  if (!secret.ok) return { ok: false, reason: `${path}: ${secret.reason}` };
  return secret.value.name === name ? secret : { ok: false, reason: `${path} holds the secret ${secret.value.name}` };
}

/** Writes a sealed secret. Returns `undefined`, or the reason if it cannot be written. The old file stays until the new one is complete. */
export function writeSealed(folder: string, secret: Secret): string | undefined {
  const path = getSealedPath(folder, secret.name);
  return tryWrite(path, () => {
    makeFolders(folder);
    const whole = `${path}.new`;
    writeFileSync(whole, encodeSecret(secret));
    renameSync(whole, path);
  });
}

export function removeSealed(folder: string, name: string): string | undefined {
  const path = getSealedPath(folder, name);
  return tryWrite(path, () => rmSync(path));
}

/** Runs `write`. Returns `undefined`, or the reason if the file system refuses the write. */
export function tryWrite(path: string, write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return explainRefusal(path, error);
  }
}
