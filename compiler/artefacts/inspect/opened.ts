// An image as a file that is read in pieces: what lies in it, and the time and the signatures that it carries.

import { MOST_DIFFERENCE_BYTES } from "../../../targets/attest/difference.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import { computeSha256At } from "./description.ts";
import { type IsoFile, listIso, type ReadAt } from "./iso-reader.ts";

export interface OpenedImage {
  readonly readAt: ReadAt;
  readonly size: number;
  readonly volume: string;
  /** In code-unit order of paths. */
  readonly files: readonly IsoFile[];
}

/** Nothing where it is no image. */
export function openImage(readAt: ReadAt, size: number): OpenedImage | undefined {
  const listing = listIso(readAt, size);
  return listing.ok ? { readAt, size, volume: listing.volume, files: listing.files } : undefined;
}

/** A small file of the image; nothing where there is none, or a larger one. */
export function readImageFile({ readAt, files }: OpenedImage, path: string, most: number): Uint8Array | undefined {
  const file = files.find((each) => each.path === path);
  return file === undefined || file.size > most ? undefined : readAt(file.offset, file.size);
}

/** The record of what differs from an earlier image, as it lies there; empty where it is larger than any that is made. */
export function readDifference(image: OpenedImage): Uint8Array | undefined {
  const isThere = image.files.some(({ path }) => path === IMAGE_PATHS.difference);
  return isThere
    ? (readImageFile(image, IMAGE_PATHS.difference, MOST_DIFFERENCE_BYTES) ?? new Uint8Array())
    : undefined;
}

/** SHA-256 in hexadecimal. */
export function digestOf({ readAt }: OpenedImage, { offset, size }: IsoFile): string {
  return computeSha256At(readAt, offset, size);
}

/** Of a volume's descriptor: where the time stands at which the volume was made, as digits of UTC. */
const CREATED_AT = 16 * 2048 + 813;

/** Seconds since 1970; 0 where there is no such time. */
export function readCreationTime({ readAt }: OpenedImage): number {
  const digits = Buffer.from(readAt(CREATED_AT, 14)).toString("latin1");
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? [];
  const seconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}
