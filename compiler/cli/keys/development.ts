// Manages the key that signs images built in this checkout. The first build makes the key if it is missing. The key
// proves nothing to other people.

import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { type KeyFile, loadDevelopmentKey } from "../../../targets/manifest/development-key.ts";
import { computeFingerprint, encodeHex } from "../../artefacts/inspect/description.ts";

/** Public half of the key that signs images of this checkout. */
export interface DevelopmentKey {
  /** 64 hexadecimal digits. */
  readonly publicKey: string;
  /** SHA-256 of the public key's 32 bytes. */
  readonly fingerprint: string;
}

/** Returns the development key, or `undefined` if it does not exist yet. Fails if its file cannot be used. */
export function findDevelopmentKey(file: KeyFile): Result<DevelopmentKey | undefined> {
  return file.read() === undefined ? accept(undefined) : describeKey(file);
}

/** Makes the development key. Fails if one exists already, or its file cannot be used. */
export function makeDevelopmentKey(file: KeyFile): Result<DevelopmentKey> {
  if (file.read() !== undefined) return refuse("the development key is there already; no key is ever replaced");
  return describeKey(file);
}

function describeKey(file: KeyFile): Result<DevelopmentKey> {
  const key = loadDevelopmentKey(file);
  if (!key.ok) return key;
  return accept({ publicKey: encodeHex(key.value.publicKey), fingerprint: computeFingerprint(key.value.publicKey) });
}
