/**
 * Path prefix of sources of the standard library. Sources of a package never have it: a folder of this name in a package begins with
 * `./`.
 */
export const STANDARD_FOLDER = "std/";

/** Returns whether a source is part of the standard library, by its path. */
export function isStandard(path: string): boolean {
  return path.startsWith(STANDARD_FOLDER);
}

/** Modules of the standard library that a page may `use`. */
export const STANDARD_MODULES = ["assertions", "categories", "lattice", "profiles", "tools"] as const;

/** Modules that hold whether or not a page names them: the roots of all categories, and the default levels. */
export const PRELUDE = ["categories", "lattice"] as const;
