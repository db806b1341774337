// Two images, file by file and then what stands around the files: which of them differ, and in what, where that can be said.

import { Manifest, Signature } from "../../../engine/lib/wire/generated/manifest.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { ServiceMethods } from "../../../engine/lib/wire/generated/service.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import type { StructLayout } from "../../../engine/lib/wire/layout.ts";
import { readEnvelope } from "../../../targets/attest/dsse.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import type { IsoFile } from "../inspect/iso-reader.ts";
import { bytesOf, digestOf, type OpenedImage } from "../inspect/opened.ts";
import { differenceOf } from "../readback/difference.ts";
import { archiveDifference, programDifference } from "./archives.ts";

/** One file. Digests are SHA-256 in hexadecimal; null where there is no such file. */
export interface Compared {
  readonly path: string;
  readonly image: string | null;
  readonly source: string | null;
  /** What differs first, where both are there and do. */
  readonly where: string | null;
}

/** All files of both, in code-unit order of paths. */
export function compareFiles(image: OpenedImage, source: OpenedImage): readonly Compared[] {
  const paths = [...new Set([...image.files, ...source.files].map(({ path }) => path))].sort();
  return paths.map((path) => compareFile(path, image, source));
}

const isFile = (path: string) => (file: IsoFile) => file.path === path;

function compareFile(path: string, image: OpenedImage, source: OpenedImage): Compared {
  const [one, other] = [image.files.find(isFile(path)), source.files.find(isFile(path))];
  const digests = {
    image: one === undefined ? null : digestOf(image, one),
    source: other === undefined ? null : digestOf(source, other),
  };
  if (one === undefined || other === undefined || digests.image === digests.source)
    return { path, ...digests, where: null };
  const [there, meant] = [image, source].map((each) => bytesOf(each, path, MOST_LOOKED_INTO));
  const where = there === undefined || meant === undefined ? undefined : whereIn(path, there, meant);
  return { path, ...digests, where: where ?? "its bytes" };
}

/** Larger files are told apart by their digests alone. */
const MOST_LOOKED_INTO = 64 * 1024 * 1024;

/** Both sides of the first field that differs. */
function whereIn(path: string, there: Uint8Array, meant: Uint8Array): string {
  return fieldIn(path, there, meant) ?? `from byte ${firstByte(there, meant)} on`;
}

function fieldIn(path: string, there: Uint8Array, meant: Uint8Array): string | undefined {
  if (path === IMAGE_PATHS.manifest) return inRecords(Manifest, there, meant);
  if (path === IMAGE_PATHS.manifestSignature) return inRecords(Signature, there, meant);
  if (path === IMAGE_PATHS.tables) return inRecords(PolicyTables, there, meant);
  if (path === IMAGE_PATHS.efi) return programDifference(there, meant);
  if (path === IMAGE_PATHS.initrd) return archiveDifference(there, meant);
  if (/^\/capos\/services\/.*\.bin$/.test(path)) return inRecords(ServiceMethods, there, meant);
  if (path === IMAGE_PATHS.attestation || path === IMAGE_PATHS.difference)
    return inStatements(there, meant) ?? inJson(there, meant);
  return path.endsWith(".json") ? inJson(there, meant) : undefined;
}

/** Nothing where both say the same, which other bytes may do too. */
function inRecords<T>(layout: StructLayout<T>, there: Uint8Array, meant: Uint8Array): string | undefined {
  const [one, other] = [decodeMessage(layout, there), decodeMessage(layout, meant)];
  if (!one.ok) return `it cannot be read: ${one.reason}`;
  return other.ok ? differenceOf(other.value, one.value) : undefined;
}

function inStatements(there: Uint8Array, meant: Uint8Array): string | undefined {
  const [one, other] = [readEnvelope(there)?.payload, readEnvelope(meant)?.payload];
  return one === undefined || other === undefined ? undefined : inJson(one, other);
}

function inJson(there: Uint8Array, meant: Uint8Array): string | undefined {
  try {
    const [one, other] = [there, meant].map((bytes) => JSON.parse(Buffer.from(bytes).toString("utf8")));
    return differenceOf(other, one);
  } catch {
    return undefined;
  }
}

function firstByte(there: Uint8Array, meant: Uint8Array): number {
  const at = there.findIndex((byte, index) => byte !== meant[index]);
  return at < 0 ? there.length : at;
}

const PIECE = 1024 * 1024;

/** Where two images of the same files differ all the same: in their descriptors, folders, partition tables or boot sectors. */
export function firstDifference(image: OpenedImage, source: OpenedImage): number | null {
  for (let at = 0; at < Math.max(image.size, source.size); at += PIECE) {
    const [one, other] = [image.readAt(at, PIECE), source.readAt(at, PIECE)];
    if (Buffer.compare(one, other) !== 0) return at + firstByte(one, other);
  }
  return null;
}
