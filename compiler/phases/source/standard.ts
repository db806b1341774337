/**
 * Path prefix of files of the standard library. Paths of package files never have this prefix: the path of a package
 * file in a folder `std` begins with `./std/`.
 */
export const STANDARD_FOLDER = "std/";

/** Returns whether the path of a file shows that the file is part of the standard library. */
export function isStandard(path: string): boolean {
  return path.startsWith(STANDARD_FOLDER);
}

/** Modules of the standard library that a page may `use`. */
export const STANDARD_MODULES = ["assertions", "categories", "lattice", "profiles", "tools"] as const;

/**
 * Modules that apply to every page, even if it does not use them: they declare the root categories and the default
 * levels.
 */
export const PRELUDE = ["categories", "lattice"] as const;
