// Opens an image, and reads it in pieces: its files, its creation time and its signatures.

import { MOST_DIFFERENCE_BYTES } from "../../../targets/attest/difference.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import { computeSha256At } from "./description.ts";
import { type IsoFile, listIso, type ReadAt } from "./iso-reader.ts";

export interface OpenedImage {
  readonly readAt: ReadAt;
  readonly size: number;
  readonly volume: string;
  /** The files, in code-unit order of paths. */
  readonly files: readonly IsoFile[];
}

/** Opens an image; returns `undefined` if the file is not an ISO 9660 image. */
export function openImage(readAt: ReadAt, size: number): OpenedImage | undefined {
  const listing = listIso(readAt, size);
  return listing.ok ? { readAt, size, volume: listing.volume, files: listing.files } : undefined;
}

/** Returns a small file of the image, or `undefined` if it is missing or larger than `most` bytes. */
export function readImageFile({ readAt, files }: OpenedImage, path: string, most: number): Uint8Array | undefined {
  const file = files.find((each) => each.path === path);
  return file === undefined || file.size > most ? undefined : readAt(file.offset, file.size);
}

/**
 * Returns the record of the differences from an earlier image, or `undefined` if the image has none. The result is
 * empty if the record is larger than a build makes it.
 */
export function readDifference(image: OpenedImage): Uint8Array | undefined {
  const isThere = image.files.some(({ path }) => path === IMAGE_PATHS.difference);
  return isThere
    ? (readImageFile(image, IMAGE_PATHS.difference, MOST_DIFFERENCE_BYTES) ?? new Uint8Array())
    : undefined;
}

/** Returns the SHA-256 of a file of the image, in hexadecimal. */
export function digestOf({ readAt }: OpenedImage, { offset, size }: IsoFile): string {
  return computeSha256At(readAt, offset, size);
}

/**
 * Offset in bytes of the creation time within the image: the volume descriptor contains it as decimal digits, in UTC.
 */
const CREATED_AT = 16 * 2048 + 813;

/** Returns the creation time in seconds since 1970, or 0 if the image has none. */
export function readCreationTime({ readAt }: OpenedImage): number {
  const digits = Buffer.from(readAt(CREATED_AT, 14)).toString("latin1");
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? [];
  const seconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}
