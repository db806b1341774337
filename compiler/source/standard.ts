/** Modules of the standard library that a page may `use`. */
export const STANDARD_MODULES = ["assertions", "categories", "lattice", "profiles", "tools"] as const;

/** Interfaces that a program of the library answers for, where a page names none of its own. */
export const STANDARD_PROGRAMS = ["Memory"] as const;

/** Modules that hold whether or not a page names them: the roots of all categories, and the levels it may leave out. */
export const PRELUDE = ["categories", "lattice"] as const;
