import { parsePathSegments } from "../../../lib/policy/index.ts";
import { type Result, refuse } from "../../../lib/result/result.ts";

/**
 * Maximum bytes of a name (the limit of ext4), and maximum number of names in a path (people do not read longer paths).
 */
const MAX_NAME_BYTES = 255;
const MAX_LEVELS = 16;
/**
 * Prefix of files being written. Such files are hidden from lists and refused as names, so that half a file can never be read after a
 * crash.
 */
export const UNFINISHED = ".capos-unfinished-";

/** Returns the names from the granted directory down to a path's target; none for the directory itself. */
export function parseRelativePath(path: string): Result<readonly string[]> {
  if (path.startsWith("/")) return refuse("absolute paths are not accepted");
  const segments = parsePathSegments(path);
  if (segments === undefined) return refuse("a path may not hold .. or a zero byte");
  if (segments.length > MAX_LEVELS) return refuse(`a path has at most ${MAX_LEVELS} levels`);
  if (segments.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) return refuse("a name is too long");
  if (segments.some((name) => name.startsWith(UNFINISHED))) return refuse("this name is kept for files being written");
  return { ok: true, value: segments };
}
