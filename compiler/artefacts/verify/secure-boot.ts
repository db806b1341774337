// Describes the signer of the program that UEFI starts, and whether the signature verifies. Only the firmware of a machine knows whether
// it trusts that signer.

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
  /** Subject of the certificate, as its issuer wrote it. */
  readonly subject: string;
  /** SHA-256 of the certificate in hexadecimal, which distinguishes certificates with equal subjects. */
  readonly certificate: string;
  /** Whether the signature verifies; `null` if it could not be checked because sbverify is not installed. */
  readonly holds: boolean | null;
}

/** Returns the signature's first certificate, which is the signer's; `undefined` if the program is not signed. */
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

/**
 * Verifies the signature with sbverify. sbverify is in the same Debian package as sbsign, with which capc signs, but
 * shares no code with capc's own comparison of images.
 */
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
