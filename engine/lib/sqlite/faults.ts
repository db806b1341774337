// Converts errors of SQLite to values. SQLite's documentation guarantees the primary codes.

const [READ_ONLY, IO_ERROR, CORRUPT, FULL, CANNOT_OPEN, NOT_A_DATABASE] = [8, 10, 11, 13, 14, 26];
/**
 * Codes that mean an error of the disk. `READ_ONLY` is one of them: after an error of the disk, the kernel makes the
 * file system read-only.
 */
const OF_THE_DISK: readonly number[] = [READ_ONLY, IO_ERROR, CANNOT_OPEN];

type Fault =
  /** The content of the file differs from what SQLite wrote. */
  | "spoiled"
  /** The disk is full, or the file has reached its limit. */
  | "full"
  /** The disk fails; any further write may be lost. */
  | "broken";

interface SqlFault {
  readonly fault: Fault;
  readonly words: string;
}

/** Returns the kind of an SQLite error, or `undefined` for any other error, such as an error of this program. */
export function classifySqlFault(error: unknown): SqlFault | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  const words = error.message;
  const code = error.errcode & 0xff;
  if (code === CORRUPT || code === NOT_A_DATABASE) return { fault: "spoiled", words };
  if (code === FULL) return { fault: "full", words };
  return OF_THE_DISK.includes(code) ? { fault: "broken", words } : undefined;
}
