// Manages the keys of people: OpenSSH key pairs in a folder beside the page that names their public halves. ssh-keygen makes them, so
// every other tool can read the private half. The owner of a key may set a passphrase.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import { explainRefusal, makeFolders, readBytes } from "../../host/files.ts";
import { explainNotStarted, getSearchPath } from "../../machine/programs.ts";
import { readSshKey } from "../../phases/bind/ssh-key.ts";

/** Public half of a principal's key pair. */
export interface PublicKey {
  readonly name: string;
  /** The key in the form `kind base64`. */
  readonly key: string;
  /** The fingerprint in the form that ssh-keygen -l prints. */
  readonly fingerprint: string;
}

const MOST_BYTES = 64 * 1024;

/** Reads NAME.pub. Fails if the file does not contain a key that a page can name. */
export function readPrincipalKey(name: string, folder: string): Result<PublicKey> {
  const path = join(folder, `${name}.pub`);
  const read = readBytes(path, MOST_BYTES);
  if (!read.ok) return read;
  const key = readSshKey(read.value.bytes);
  if (!key.ok) return { ok: false, reason: `${path}: ${key.reason}` };
  const [, base64 = ""] = key.value.split(" ");
  const digest = createHash("sha256").update(Buffer.from(base64, "base64")).digest("base64").replace(/=+$/, "");
  return { ok: true, value: { name, key: key.value, fingerprint: `SHA256:${digest}` } };
}

/** Returns the names of principals' keys in a folder, in code-unit order; none if the folder does not exist. */
export function listKeys(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".pub"))
    .map((file) => file.slice(0, -".pub".length))
    .sort();
}

/** Makes a key pair. On a terminal ssh-keygen asks for a passphrase; elsewhere the key has none. */
export function makeKey(name: string, folder: string, passphrase: "asked" | "none"): Result<PublicKey> {
  const path = join(folder, name);
  for (const taken of [path, `${path}.pub`]) {
    if (existsSync(taken)) return { ok: false, reason: `${taken} is there already; no key is ever replaced` };
  }
  try {
    makeFolders(folder);
  } catch (error) {
    return { ok: false, reason: explainRefusal(folder, error) };
  }
  const words = ["-q", "-t", "ed25519", ...(passphrase === "asked" ? [] : ["-N", ""]), "-C", name, "-f", path];
  const { error, status } = spawnSync("ssh-keygen", words, {
    stdio: passphrase === "asked" ? "inherit" : ["ignore", "ignore", "inherit"],
    env: { PATH: getSearchPath(), LC_ALL: "C" },
  });
  if (error !== undefined) return { ok: false, reason: explainNotStarted("ssh-keygen", "openssh-client", error) };
  if (status !== 0) return { ok: false, reason: `ssh-keygen could not make ${path}` };
  return readPrincipalKey(name, folder);
}
