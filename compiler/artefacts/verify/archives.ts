// Compares two initrds: which of their files differ, and trust.bin field by field.

import { extractProgram } from "../../../engine/image/uefi/esp.ts";
import { extractSection, isSigned } from "../../../engine/image/uefi/pe.ts";
import { Trust } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { readFilesInArchive } from "../inspect/cpio-reader.ts";
import { unpackInitrd } from "../inspect/trust.ts";
import { findDifference } from "../readback/difference.ts";

/**
 * Returns the first file, by name, in which the two archives differ. Returns `undefined` if no file differs or if an
 * archive cannot be read.
 */
export function findArchiveDifference(there: Uint8Array, meant: Uint8Array): string | undefined {
  const [one, other] = [there, meant].map((bytes) => readFilesInArchive(unpackInitrd(bytes)));
  if (one === undefined || other === undefined) return undefined;
  for (const name of [...new Set([...one.keys(), ...other.keys()])].sort()) {
    const [found, wanted] = [one.get(name), other.get(name)];
    if (found === undefined) return `${name} is not in it`;
    if (wanted === undefined) return `${name} is in it and does not belong there`;
    if (Buffer.compare(found, wanted) !== 0) return `${name}${describeTrustDifference(name, found, wanted)}`;
  }
  return undefined;
}

function describeTrustDifference(name: string, there: Uint8Array, meant: Uint8Array): string {
  if (name !== "trust.bin") return " is another one";
  const [one, other] = [decodeMessage(Trust, there), decodeMessage(Trust, meant)];
  const field = one.ok && other.ok ? findDifference(other.value, one.value) : undefined;
  return field === undefined ? " is another one" : `, ${field}`;
}

const SECTIONS = [".osrel", ".cmdline", ".linux", ".initrd"];

/**
 * Returns in which section two UEFI programs differ. If all sections are equal and the image's program is signed, states that its other
 * bytes differ; otherwise returns `undefined`.
 */
export function findProgramDifference(there: Uint8Array, meant: Uint8Array): string | undefined {
  const [one, other] = [there, meant].map((bytes) => extractProgram(Buffer.from(bytes)));
  if (one === undefined || other === undefined) return undefined;
  for (const name of SECTIONS) {
    const [found, wanted] = [extractSection(one, name), extractSection(other, name)];
    if (found === undefined || wanted === undefined) return `its program has no ${name}`;
    if (Buffer.compare(found, wanted) === 0) continue;
    const file = name === ".initrd" ? findArchiveDifference(found, wanted) : undefined;
    return `its program's ${name}${file === undefined ? "" : `: ${file}`}`;
  }
  if (!isSigned(one)) return undefined;
  return "its program is signed for Secure Boot, and without the signature it is another one; its sections are the same";
}
