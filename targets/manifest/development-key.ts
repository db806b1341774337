// The key of a checkout, made at random on first use and never committed. An image that is signed with this key boots, but the key does not
// prove who built the image, and the image reports this.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { accept, type Result, refuse } from "../../engine/lib/result/result.ts";
import { createSigningKey, type SigningKey } from "./signing.ts";

/** Functions that read and create the file with the development key of this checkout. */
export interface KeyFile {
  /** Returns the text of the file, or `undefined` if the file does not exist. */
  readonly read: () => string | undefined;
  /** Creates the file, readable only for its owner. This function must fail if the file exists. */
  readonly create: (text: string) => void;
}

/**
 * Returns the key of this checkout, or the reason why its file cannot be used. An unreadable file is never replaced,
 * because it may contain the only copy of a key.
 */
export function loadDevelopmentKey(file: KeyFile): Result<SigningKey> {
  const text = file.read();
  if (text === undefined) {
    const { privateKey } = generateKeyPairSync("ed25519");
    file.create(encodeKey(privateKey));
    return accept(createSigningKey(privateKey, "development"));
  }
  const privateKey = decodeKey(text);
  return privateKey === undefined
    ? refuse("the development key cannot be read; remove its file to get a new one")
    : accept(createSigningKey(privateKey, "development"));
}

function encodeKey(privateKey: KeyObject): string {
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
  return `${JSON.stringify({ kind: "ed25519", use: "development", pkcs8 }, undefined, 2)}\n`;
}

function decodeKey(text: string): KeyObject | undefined {
  try {
    const { kind, pkcs8 } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (kind !== "ed25519" || typeof pkcs8 !== "string") return undefined;
    const key = createPrivateKey({ key: Buffer.from(pkcs8, "base64"), format: "der", type: "pkcs8" });
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}
