// Converts errors of SQLite to values. SQLite's documentation guarantees the primary codes.

const [IO_ERROR, CORRUPT, FULL, CANNOT_OPEN, NOT_A_DATABASE] = [10, 11, 13, 14, 26];

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
  return code === IO_ERROR || code === CANNOT_OPEN ? { fault: "broken", words } : undefined;
}
