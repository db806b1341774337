/**
 * Path prefix of the standard library's sources. Sources of a package never have it, because paths in a package's own folder `std` begin
 * with `./`.
 */
export const STANDARD_FOLDER = "std/";

/** Returns whether the path is that of a source of the standard library. */
export function isStandard(path: string): boolean {
  return path.startsWith(STANDARD_FOLDER);
}

/** Modules of the standard library that a page may `use`. */
export const STANDARD_MODULES = ["assertions", "categories", "lattice", "profiles", "tools"] as const;

/** Modules that apply even if the page does not name them: the roots of all categories, and the default levels. */
export const PRELUDE = ["categories", "lattice"] as const;
