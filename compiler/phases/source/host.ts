import type { Result } from "../../../engine/lib/result/result.ts";
/** Result of reading a file. `reason` is one clause, for a message. */
export type FileRead = Result<Uint8Array>;

/** The beginning of a file, and how long all of it is. */
export type HeadRead =
  | { readonly ok: true; readonly head: Uint8Array; readonly bytes: number }
  | { readonly ok: false; readonly reason: string };

/** The world that a page is read from. The compiler knows no other door to a disk or a clock. */
export interface Host {
  /** Returns the absolute path with every link resolved, or `undefined` if there is no such file. */
  readonly realPath: (path: string) => Promise<string | undefined>;
  /** Bytes of a regular file. A file of more than `limit` bytes is refused before it is read. */
  readonly readFile: (realPath: string, limit: number) => Promise<FileRead>;
  /** Returns at most `most` bytes from the beginning of a regular file of any size. */
  readonly readHead: (realPath: string, most: number) => Promise<HeadRead>;
  /** Bytes of a file of the standard library, `tools.cap`. */
  readonly readStandard: (file: string) => Promise<FileRead>;
  /** The day of the build as YYYY-MM-DD: decides only whether a `widen … until` has run out, and reaches no artefact. */
  readonly today: string;
}
