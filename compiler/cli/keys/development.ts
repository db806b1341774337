// The key that signs images built in this checkout. It is made on the first build as well; it proves nothing to strangers.

import { type KeyFile, loadDevelopmentKey } from "../../../targets/manifest/development-key.ts";
import { computeFingerprint, encodeHex } from "../../artefacts/inspect/description.ts";

/** The public half. */
export interface DevelopmentKey {
  /** 64 hexadecimal digits. */
  readonly publicKey: string;
  /** The SHA-256 of its 32 bytes. */
  readonly fingerprint: string;
}

/** Nothing where it was not made yet; a reason where its file cannot be used. */
export function findDevelopmentKey(file: KeyFile): DevelopmentKey | string | undefined {
  return file.read() === undefined ? undefined : describeKey(file);
}

/** A reason where there is one already, or its file cannot be used. */
export function makeDevelopmentKey(file: KeyFile): DevelopmentKey | string {
  if (file.read() !== undefined) return "the development key is there already; no key is ever replaced";
  return describeKey(file);
}

function describeKey(file: KeyFile): DevelopmentKey | string {
  const key = loadDevelopmentKey(file);
  if (typeof key === "string") return key;
  return { publicKey: encodeHex(key.publicKey), fingerprint: computeFingerprint(key.publicKey) };
}
