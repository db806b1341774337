import type { Gap } from "./gap.ts";
import { findInitGaps } from "./init.ts";
import { findJailGaps } from "./jails.ts";
import { findPageGaps } from "./pages.ts";
import { findLibraryGaps, findProgramGaps, findSecondTables } from "./sources.ts";

/** Returns all differences between a checkout and its tables of roles and services. */
export function findGaps(checkout: string): readonly Gap[] {
  return [
    ...findProgramGaps(checkout),
    ...findJailGaps(checkout),
    ...findInitGaps(checkout),
    ...findLibraryGaps(checkout),
    ...findSecondTables(checkout),
    ...findPageGaps(checkout),
  ];
}
