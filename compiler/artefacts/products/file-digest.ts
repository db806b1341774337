// Computes the digests of the files that a build wrote.

import { statSync } from "node:fs";
import { useFile } from "../../host/files.ts";
import { computeSha256At } from "../inspect/description.ts";

interface FileDigest {
  readonly bytes: number;
  /** Hexadecimal digest; `null` if the file is too large to be read again at each build. */
  readonly sha256: string | null;
}

/**
 * Maximum size of a file that is digested at each build. A digest takes a second for each gigabyte, and a build after a
 * change of the policy may take only one second.
 */
const MOST_DIGESTED = 256 * 1024 * 1024;

export function digestFile(path: string, most = MOST_DIGESTED): FileDigest {
  const found = statSync(path);
  return { bytes: found.size, sha256: found.size > most ? null : digestOf(path, found) };
}

/** Returns the SHA-256 of an existing file in hexadecimal. */
export function digestOf(path: string, { size } = statSync(path)): string {
  return useFile(path, (readAt) => computeSha256At(readAt, 0, size));
}

/** Returns one line with the digest, the size and the path of a file. */
export function renderDigestLine(path: string, { bytes, sha256 }: FileDigest): string {
  const words = sha256 ?? "too large to be digested at each build";
  return `${words.padEnd(64)}  ${`${bytes}`.padStart(10)}  ${path}\n`;
}
