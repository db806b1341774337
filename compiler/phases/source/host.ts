import type { Result } from "../../../engine/lib/result/result.ts";
/** Result of reading a file. `reason` is a clause that messages contain. */
export type FileRead = Result<Uint8Array>;

/** The beginning of a file, and the length of the whole file. */
export type HeadRead =
  | { readonly ok: true; readonly head: Uint8Array; readonly bytes: number }
  | { readonly ok: false; readonly reason: string };

/** Access to files and to the day of the build. The compiler has no other access to a disk or a clock. */
export interface Host {
  /** Returns the absolute path with every link resolved, or `undefined` if the file does not exist. */
  readonly realPath: (path: string) => Promise<string | undefined>;
  /** Returns the bytes of a regular file. Refuses a file of more than `limit` bytes before reading it. */
  readonly readFile: (realPath: string, limit: number) => Promise<FileRead>;
  /** Returns at most `most` bytes from the beginning of a regular file of any size. */
  readonly readHead: (realPath: string, most: number) => Promise<HeadRead>;
  /** Returns the bytes of a file of the standard library, such as `tools.cap`. */
  readonly readStandard: (file: string) => Promise<FileRead>;
  /**
   * The day of the build as YYYY-MM-DD. The day only decides whether a `widen … until` has expired, and no artefact
   * contains it.
   */
  readonly today: string;
}
