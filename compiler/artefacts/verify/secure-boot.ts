// Who signed the program that UEFI starts, and whether the signature is one over it. Whether a machine trusts that one only its
// firmware knows.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeSignatures } from "../../../engine/image/uefi/pe.ts";
import { readSigners } from "../../../engine/image/uefi/signers.ts";
import { readUefiProgram } from "../inspect/boot-modes.ts";
import { computeSha256 } from "../inspect/description.ts";
import type { OpenedImage } from "../inspect/opened.ts";

export interface SecureBootSignature {
  /** Of the certificate, as whoever made it wrote it. */
  readonly subject: string;
  /** SHA-256 of the certificate, in hexadecimal: what tells it from another one of the same words. */
  readonly certificate: string;
  /** null where nobody could be asked: sbverify is not installed. */
  readonly holds: boolean | null;
}

/** Of the first certificate, which is the signer's; nothing where the program is not signed. */
export function readSecureBoot(image: OpenedImage): SecureBootSignature | undefined {
  const program = readUefiProgram(image);
  const signatures = program === undefined ? undefined : removeSignatures(program)?.signatures;
  if (program === undefined || signatures === undefined) return undefined;
  const [signer] = readSigners(signatures);
  if (signer === undefined)
    return { subject: "nobody who can be read", certificate: computeSha256(signatures), holds: false };
  const subject = signer.subject.replaceAll("\n", ", ");
  return { subject, certificate: computeSha256(signer.raw), holds: verifyWithSbverify(program, signer.toString()) };
}

/** Asked of sbverify, which shares nothing with what signs and compares here but its package. */
function verifyWithSbverify(program: Buffer, certificate: string): boolean | null {
  const scratch = mkdtempSync(join(tmpdir(), "capc-signature-"));
  const [signed, pem] = [join(scratch, "program.efi"), join(scratch, "certificate.pem")];
  try {
    writeFileSync(signed, program);
    writeFileSync(pem, certificate);
    const { error, status } = spawnSync("sbverify", ["--cert", pem, signed], { stdio: "ignore" });
    return error === undefined ? status === 0 : null;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

export function renderSecureBoot({ subject, certificate, holds }: SecureBootSignature): string {
  const verdict = holds === null ? "not judged, sbverify is not installed" : holds ? "holds" : "does NOT hold";
  return `signed for Secure Boot by ${subject}, certificate ${certificate}: ${verdict}`;
}
