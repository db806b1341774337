// Compares two images, file by file and then outside of the files. Describes which files differ and, if possible, what
// differs in them.

import { Manifest, Signature } from "../../../engine/lib/wire/generated/manifest.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { ServiceMethods } from "../../../engine/lib/wire/generated/service.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import type { StructLayout } from "../../../engine/lib/wire/layout.ts";
import { readEnvelope } from "../../../targets/attest/dsse.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import type { IsoFile } from "../inspect/iso-reader.ts";
import { digestOf, type OpenedImage, readImageFile } from "../inspect/opened.ts";
import { findDifference } from "../readback/difference.ts";
import { findArchiveDifference, findProgramDifference } from "./archives.ts";

/** Result of comparing one file of two images. Digests are SHA-256 in hexadecimal; `null` if the file is missing. */
export interface FileComparison {
  readonly path: string;
  readonly image: string | null;
  readonly source: string | null;
  /** Description of the first difference, if both files exist and differ; otherwise `null`. */
  readonly where: string | null;
}

/** Compares all files of both images, in code-unit order of paths. */
export function compareFiles(image: OpenedImage, source: OpenedImage): readonly FileComparison[] {
  const paths = [...new Set([...image.files, ...source.files].map(({ path }) => path))].sort();
  return paths.map((path) => compareFile(path, image, source));
}

const isFile = (path: string) => (file: IsoFile) => file.path === path;

function compareFile(path: string, image: OpenedImage, source: OpenedImage): FileComparison {
  const [one, other] = [image.files.find(isFile(path)), source.files.find(isFile(path))];
  const digests = {
    image: one === undefined ? null : digestOf(image, one),
    source: other === undefined ? null : digestOf(source, other),
  };
  if (one === undefined || other === undefined || digests.image === digests.source)
    return { path, ...digests, where: null };
  const [there, meant] = [image, source].map((each) => readImageFile(each, path, MOST_LOOKED_INTO));
  const where = there === undefined || meant === undefined ? undefined : locateDifference(path, there, meant);
  return { path, ...digests, where: where ?? "its bytes" };
}

/** Maximum size of files whose contents are compared; larger files are compared by their digests only. */
const MOST_LOOKED_INTO = 64 * 1024 * 1024;

/**
 * Returns both values of the first field in which the two versions of the file differ. For a file whose fields cannot
 * be compared, returns the offset of the first different byte.
 */
function locateDifference(path: string, there: Uint8Array, meant: Uint8Array): string {
  return findFieldDifference(path, there, meant) ?? `from byte ${findFirstByte(there, meant)} on`;
}

function findFieldDifference(path: string, there: Uint8Array, meant: Uint8Array): string | undefined {
  if (path === IMAGE_PATHS.manifest) return compareRecords(Manifest, there, meant);
  if (path === IMAGE_PATHS.manifestSignature) return compareRecords(Signature, there, meant);
  if (path === IMAGE_PATHS.tables) return compareRecords(PolicyTables, there, meant);
  if (path === IMAGE_PATHS.efi) return findProgramDifference(there, meant);
  if (path === IMAGE_PATHS.initrd) return findArchiveDifference(there, meant);
  if (/^\/capos\/services\/.*\.bin$/.test(path)) return compareRecords(ServiceMethods, there, meant);
  if (path === IMAGE_PATHS.attestation || path === IMAGE_PATHS.difference)
    return compareStatements(there, meant) ?? compareJson(there, meant);
  return path.endsWith(".json") ? compareJson(there, meant) : undefined;
}

/**
 * Returns the first difference of two messages; `undefined` if all their fields are equal, even if their bytes differ.
 */
function compareRecords<T>(layout: StructLayout<T>, there: Uint8Array, meant: Uint8Array): string | undefined {
  const [one, other] = [decodeMessage(layout, there), decodeMessage(layout, meant)];
  if (!one.ok) return `it cannot be read: ${one.reason}`;
  return other.ok ? findDifference(other.value, one.value) : undefined;
}

function compareStatements(there: Uint8Array, meant: Uint8Array): string | undefined {
  const [one, other] = [readEnvelope(there)?.payload, readEnvelope(meant)?.payload];
  return one === undefined || other === undefined ? undefined : compareJson(one, other);
}

function compareJson(there: Uint8Array, meant: Uint8Array): string | undefined {
  try {
    const [one, other] = [there, meant].map((bytes) => JSON.parse(Buffer.from(bytes).toString("utf8")));
    return findDifference(other, one);
  } catch {
    return undefined;
  }
}

function findFirstByte(there: Uint8Array, meant: Uint8Array): number {
  const at = there.findIndex((byte, index) => byte !== meant[index]);
  return at < 0 ? there.length : at;
}

const PIECE = 1024 * 1024;

/**
 * Returns the offset of the first byte in which the images differ, or `null` if all bytes are equal. If all files are
 * equal, this byte is in a descriptor, a folder, a partition table or a boot sector.
 */
export function findFirstDifference(image: OpenedImage, source: OpenedImage): number | null {
  for (let at = 0; at < Math.max(image.size, source.size); at += PIECE) {
    const [one, other] = [image.readAt(at, PIECE), source.readAt(at, PIECE)];
    if (Buffer.compare(one, other) !== 0) return at + findFirstByte(one, other);
  }
  return null;
}
