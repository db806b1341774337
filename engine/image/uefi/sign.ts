// Signs the program that UEFI starts, with the key of the machines' owner. sbsign makes the signature, and accepts every key that OpenSSL
// can use.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../lib/result/result.ts";

const PACKAGE = "sbsigntool";

/** Paths of PEM files on this machine. The key has no passphrase, because a build asks no questions. */
export interface SecureBootKey {
  readonly key: string;
  readonly certificate: string;
}

/**
 * Returns the signed program; `scratch` is a folder for the unsigned and the signed program. The signature contains the
 * time at which it was made, because sbsign reads the clock.
 */
export function signProgram(program: Uint8Array, signer: SecureBootKey, scratch: string): Result<Buffer> {
  for (const path of [signer.key, signer.certificate])
    if (!existsSync(path)) return { ok: false, reason: `${path} is not there` };
  const [plain, signed] = [join(scratch, "plain.efi"), join(scratch, "signed.efi")];
  writeFileSync(plain, program);
  const words = ["--key", signer.key, "--cert", signer.certificate, "--output", signed, plain];
  const ran = spawnSync("sbsign", words, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  if (ran.error !== undefined) return { ok: false, reason: `sbsign is not installed (Debian package ${PACKAGE})` };
  if (ran.status !== 0 || !existsSync(signed))
    return { ok: false, reason: `sbsign failed: ${getLastLine(ran.stderr)}` };
  return { ok: true, value: readFileSync(signed) };
}

/** Returns the last line of a long output, which states the error. */
function getLastLine(words: string): string {
  return words.trim().split("\n").at(-1) ?? "it says nothing";
}
