// The key that signs images built in this checkout. It is made on the first build as well; it proves nothing to strangers.

import { developmentKey, type KeyFile } from "../../../targets/manifest/development-key.ts";
import { fingerprintOf, hex } from "../../artefacts/inspect/description.ts";

/** The public half. */
export interface DevelopmentKey {
  /** 64 hexadecimal digits. */
  readonly publicKey: string;
  /** The SHA-256 of its 32 bytes. */
  readonly fingerprint: string;
}

/** Nothing where it was not made yet; a reason where its file cannot be used. */
export function developmentKeyIn(file: KeyFile): DevelopmentKey | string | undefined {
  return file.read() === undefined ? undefined : described(file);
}

/** A reason where there is one already, or its file cannot be used. */
export function makeDevelopmentKey(file: KeyFile): DevelopmentKey | string {
  if (file.read() !== undefined) return "the development key is there already; no key is ever replaced";
  return described(file);
}

function described(file: KeyFile): DevelopmentKey | string {
  const key = developmentKey(file);
  if (typeof key === "string") return key;
  return { publicKey: hex(key.publicKey), fingerprint: fingerprintOf(key.publicKey) };
}
