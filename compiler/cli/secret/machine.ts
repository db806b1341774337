// Makes and reads the key of a machine that does not exist yet. The key is in the folder from which `capc run --files` fills the data disk
// of this machine. Other machines make their key at their first start, and the key never leaves these machines.

import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import { derivePublicKey, KEY_BYTES } from "../../../engine/processes/egress/hpke.ts";
import { formatMachineKey } from "../../../engine/processes/egress/sealing.ts";
import { makeFolders, readBytes } from "../../host/files.ts";
import { tryWrite } from "./files.ts";

/** Path on a data disk where init looks for the machine's key, which opens sealed credentials. */
const PLACE = ".keys/secrets";

/**
 * Returns the private key of a machine, which opens the secrets that were sealed to this machine. Fails if the file is
 * not a key.
 */
export function readOpener(folder: string): Result<Uint8Array> {
  const path = join(folder, PLACE);
  const read = readBytes(path, KEY_BYTES);
  if (!read.ok) return read;
  const { bytes } = read.value;
  return bytes.length === KEY_BYTES ? { ok: true, value: bytes } : { ok: false, reason: `${path} is no key` };
}

/** Returns the public half of the machine's key, and makes the key if there is none. */
export function ensureMachineKey(
  folder: string,
): Result<{ readonly key: string; readonly isNew: boolean; readonly path: string }> {
  const path = join(folder, PLACE);
  const isNew = !existsSync(path);
  if (isNew) {
    const why = tryWrite(path, () => {
      makeFolders(dirname(path));
      writeFileSync(path, randomBytes(KEY_BYTES), { mode: 0o600, flag: "wx" });
    });
    if (why !== undefined) return { ok: false, reason: why };
  }
  const read = readBytes(path, KEY_BYTES);
  if (!read.ok) return read;
  const { bytes } = read.value;
  if (bytes.length !== KEY_BYTES) return { ok: false, reason: `${path} is no key: it has ${bytes.length} bytes` };
  return { ok: true, value: { key: formatMachineKey(derivePublicKey(bytes)), isNew, path } };
}
