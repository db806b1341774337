import { statSync } from "node:fs";

/**
 * Returns the stamp of a file, or `undefined` if it is not a file. A stamp consists of the device, the inode, the size
 * and the change time. An equal stamp means equal bytes: programs cannot set the change time, and every write or
 * replacement changes it.
 */
export function stampOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? [found.dev, found.ino, found.size, found.ctimeNs].join(" ") : undefined;
}

/** Returns whether two stamps belong to one file of unchanged size, even if it was written to or moved in between. */
export function isSameFile(one: string | undefined, other: string): boolean {
  return one !== undefined && stripTime(one) === stripTime(other);
}

const stripTime = (stamp: string): string => stamp.slice(0, stamp.lastIndexOf(" "));
