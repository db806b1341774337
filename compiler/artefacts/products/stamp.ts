import { statSync } from "node:fs";

/**
 * Of a file: its place on the disk, and the time that no program can set. They stand for its bytes until whatever writes or
 * replaces it changes them. Nothing where there is no such file.
 */
export function stampOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? [found.dev, found.ino, found.size, found.ctimeNs].join(" ") : undefined;
}

/** Of two stamps: whether they are of one file, which was at most written to and moved meanwhile, without growing. */
export function isSameFile(one: string | undefined, other: string): boolean {
  return one !== undefined && stripTime(one) === stripTime(other);
}

const stripTime = (stamp: string): string => stamp.slice(0, stamp.lastIndexOf(" "));
