// Defines the differences that a comparison with the tables of `engine/lib/roles` can find.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file that differs from the tables, with its path, the difference, and the correction. */
export interface Gap {
  readonly path: string;
  readonly what: string;
}

/**
 * Returns the text of a file of the checkout. A missing file gives an empty text, so all of its content counts as
 * missing.
 */
export function readPlace(checkout: string, path: string): string {
  const place = join(checkout, path);
  return existsSync(place) ? readFileSync(place, "utf8") : "";
}

/**
 * Returns a gap for each name that is in only one of two lists. `where` describes the list that is in the file `path`.
 */
export function compareNames(
  path: string,
  where: string,
  found: readonly string[],
  expected: readonly string[],
): readonly Gap[] {
  const missing = expected.filter((name) => !found.includes(name));
  const more = found.filter((name) => !expected.includes(name));
  return [
    ...missing.map((name) => ({ path, what: `${where} lacks \`${name}\`, which the table has` })),
    ...more.map((name) => ({ path, what: `${where} has \`${name}\`, which the table does not have there` })),
  ];
}
