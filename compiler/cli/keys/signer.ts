// Selects the signer of an image from the command line.

import { resolve } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import type { World } from "../../host/world.ts";
import type { ParsedArguments } from "../command.ts";
import { readPublicKey, readSigningKey } from "./image.ts";
import { readPassphrase } from "./passphrase.ts";

export interface Signer {
  /** The key that `--key` names; if it is absent, the development key signs. */
  readonly key?: SigningKey;
  readonly alsoTrust: readonly Uint8Array[];
  /** Public keys that may sign weights. */
  readonly trustWeights: readonly Uint8Array[];
}

/** Reads the keys that `--key`, `--also-trust` and `--trust-weights` name. Fails with the reason if one of them cannot be used. */
export function readImageSigner(typed: ParsedArguments, world: World): Result<Signer> {
  const also = readPublicKeys(typed.values.get("also-trust"), world);
  if (!also.ok) return also;
  const weights = readPublicKeys(typed.values.get("trust-weights"), world);
  if (!weights.ok) return weights;
  const others = { alsoTrust: also.value, trustWeights: weights.value };
  const file = typed.values.get("key");
  if (file === undefined) return { ok: true, value: others };
  const ask = (): Result<string> => readPassphrase(typed, `passphrase of ${file}: `, world);
  const key = readSigningKey(resolve(world.folder, file), ask);
  return key.ok ? { ok: true, value: { key: key.value, ...others } } : key;
}

/** Reads the public keys in a comma-separated list of files. */
export function readPublicKeys(list: string | undefined, world: Pick<World, "folder">): Result<readonly Uint8Array[]> {
  const keys: Uint8Array[] = [];
  for (const path of list?.split(",") ?? []) {
    const read = readPublicKey(resolve(world.folder, path));
    if (!read.ok) return read;
    keys.push(read.value);
  }
  return { ok: true, value: keys };
}
