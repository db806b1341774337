// Manages the keys that sign images, other than the development key. They are Ed25519 keys: the private half is PKCS#8 under a passphrase.
// Both halves are PEM files, which other programs can read. PBKDF2 with few rounds is the best protection of this format, so a short
// passphrase is refused.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import { createSigningKey, exportPublicBytes, type SigningKey } from "../../../targets/manifest/signing.ts";
import { computeFingerprint, encodeHex } from "../../artefacts/inspect/description.ts";
import { explainRefusal, makeFolders, readText } from "../../host/files.ts";

/** Public half of a key that signs images. */
export interface ImageKey {
  readonly name: string;
  /** 64 hexadecimal digits. */
  readonly key: string;
  /** SHA-256 of the public key's 32 bytes. */
  readonly fingerprint: string;
}

const PRIVATE = ".image.pem";
const PUBLIC = ".image.public.pem";
export const LEAST_PASSPHRASE = 12;

/** Returns the paths of the private half and of the public half of an image key. */
export function getKeyFiles(name: string, folder: string): { readonly private: string; readonly public: string } {
  return { private: join(folder, `${name}${PRIVATE}`), public: join(folder, `${name}${PUBLIC}`) };
}

export function makeImageKey(name: string, folder: string, passphrase: string): Result<ImageKey> {
  const files = getKeyFiles(name, folder);
  for (const taken of [files.private, files.public])
    if (existsSync(taken)) return { ok: false, reason: `${taken} is there already; no key is ever replaced` };
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const locked = privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase });
  try {
    makeFolders(folder);
    writeFileSync(files.private, locked, { flag: "wx", mode: 0o600 });
    writeFileSync(files.public, publicKey.export({ type: "spki", format: "pem" }), { flag: "wx" });
  } catch (error) {
    return { ok: false, reason: explainRefusal(folder, error) };
  }
  return { ok: true, value: describeKey(name, exportPublicBytes(privateKey)) };
}

/** Returns the names of the image keys in a folder, in code-unit order; none if the folder does not exist. */
export function listImageKeys(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(PUBLIC));
  return files.map((file) => file.slice(0, -PUBLIC.length)).sort();
}

export function readImageKey(name: string, folder: string): Result<ImageKey> {
  const read = readPublicKey(getKeyFiles(name, folder).public);
  return read.ok ? { ok: true, value: describeKey(name, read.value) } : read;
}

/** Returns the 32 bytes of the public key in a file. */
export function readPublicKey(path: string): Result<Uint8Array> {
  const text = readText(path);
  if (!text.ok) return text;
  if (text.value.includes("PRIVATE KEY"))
    return { ok: false, reason: `${path} holds a private key; the public half is what others need` };
  const key = readKey(() => createPublicKey(text.value));
  return key === undefined
    ? { ok: false, reason: `${path} is no public Ed25519 key as PEM` }
    : { ok: true, value: new Uint8Array(key.export({ type: "spki", format: "der" }).subarray(-32)) };
}

/** Reads a private key. `passphrase` is called only if a passphrase protects the file. */
export function readSigningKey(path: string, passphrase: () => Result<string>): Result<SigningKey> {
  const text = readText(path);
  if (!text.ok) return text;
  const isLocked = text.value.includes("ENCRYPTED PRIVATE KEY");
  const given: Result<string> = isLocked ? passphrase() : { ok: true, value: "" };
  if (!given.ok) return given;
  const key = readKey(() => createPrivateKey({ key: text.value, passphrase: given.value }));
  if (key !== undefined) return { ok: true, value: createSigningKey(key, "own") };
  const why = isLocked ? "the passphrase is wrong, or it is no Ed25519 key" : "it is no private Ed25519 key as PEM";
  return { ok: false, reason: `${path}: ${why}` };
}

function readKey(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    // Node.js throws for a malformed file, and for a wrong passphrase.
    return undefined;
  }
}

function describeKey(name: string, publicKey: Uint8Array): ImageKey {
  return { name, key: encodeHex(publicKey), fingerprint: computeFingerprint(publicKey) };
}
