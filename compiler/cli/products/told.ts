// What a build says of the files that it wrote.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { withFile } from "../files.ts";

export interface ToldFile {
  readonly bytes: number;
  /** Hexadecimal; nothing of a file that is too large to be read again at each build. */
  readonly sha256: string | null;
}

/** A digest costs a second for each gigabyte, which is what a policy's change may cost in all. */
const MOST_DIGESTED = 256 * 1024 * 1024;
const PIECE = 1024 * 1024;

export function told(path: string, most = MOST_DIGESTED): ToldFile {
  const { size } = statSync(path);
  return { bytes: size, sha256: size > most ? null : digestOf(path, size) };
}

/** Of a file that is there; SHA-256 in hexadecimal. */
export function digestOf(path: string, size: number): string {
  const hash = createHash("sha256");
  return withFile(path, (readAt) => {
    for (let at = 0; at < size; at += PIECE) hash.update(readAt(at, Math.min(PIECE, size - at)));
    return hash.digest("hex");
  });
}

/** Of a file that is there; bytes. */
export function sizeOf(path: string): number {
  return statSync(path).size;
}

/** A line for a person. */
export function lineOf(path: string, { bytes, sha256 }: ToldFile): string {
  const words = sha256 ?? "too large to be digested at each build";
  return `${words.padEnd(64)}  ${`${bytes}`.padStart(10)}  ${path}\n`;
}
