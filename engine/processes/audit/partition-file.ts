import { closeSync, constants, fstatSync, ftruncateSync, openSync } from "node:fs";

const BYTES = 4 * 1024 * 1024;

/** Opens a file that represents the partition; a missing file is created with zeros. */
export function openPartition(path: string, bytes: number = BYTES): number {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  if (fstatSync(file).size === 0) ftruncateSync(file, bytes);
  return file;
}

export function closePartition(file: number): void {
  closeSync(file);
}
