import { statSync } from "node:fs";

/**
 * Returns the stamp of a file, or `undefined` if it is not a file. The stamp consists of the device, the inode, the
 * size and the change time, which no program can set. As long as the stamp stays the same, the bytes of the file stay
 * the same too.
 */
export function stampOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? [found.dev, found.ino, found.size, found.ctimeNs].join(" ") : undefined;
}

/** Returns whether two stamps belong to one file that kept its size. Between the two stamps, the file may have been written to or moved. */
export function isSameFile(one: string | undefined, other: string): boolean {
  return one !== undefined && stripTime(one) === stripTime(other);
}

const stripTime = (stamp: string): string => stamp.slice(0, stamp.lastIndexOf(" "));
