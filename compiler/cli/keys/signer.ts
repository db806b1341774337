// Who signs an image, as a command line says it.

import { resolve } from "node:path";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import type { Typed } from "../command.ts";
import type { FileRead } from "../files.ts";
import type { World } from "../world.ts";
import { readPublicKey, readSigningKey } from "./image.ts";
import { passphraseFrom } from "./passphrase.ts";

export interface Signer {
  /** The development key where none is named. */
  readonly key?: SigningKey;
  readonly alsoTrust: readonly Uint8Array[];
}

/** What `--key` and `--also-trust` of a build name; a reason where it cannot be used. */
export function imageSigner(typed: Typed, world: World): FileRead<Signer> {
  const alsoTrust: Uint8Array[] = [];
  for (const path of typed.values.get("also-trust")?.split(",") ?? []) {
    const read = readPublicKey(resolve(world.folder, path));
    if (!read.ok) return read;
    alsoTrust.push(read.value);
  }
  const file = typed.values.get("key");
  if (file === undefined) return { ok: true, value: { alsoTrust } };
  const ask = (): FileRead<string> => passphraseFrom(typed, `passphrase of ${file}: `, world);
  const key = readSigningKey(resolve(world.folder, file), ask);
  return key.ok ? { ok: true, value: { key: key.value, alsoTrust } } : key;
}
