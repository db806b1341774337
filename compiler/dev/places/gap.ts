// Defines the findings of comparisons between files of the checkout and the tables of `engine/lib/roles`.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A difference between a file and the tables: the file's path, and a text with the fault and its correction. */
export interface Gap {
  readonly path: string;
  readonly what: string;
}

/**
 * Returns the text of a file of the checkout. Returns an empty text if the file does not exist, so all of its content
 * counts as missing.
 */
export function readPlace(checkout: string, path: string): string {
  const place = join(checkout, path);
  return existsSync(place) ? readFileSync(place, "utf8") : "";
}

/** Returns a gap for each name that is in only one of the lists. `where` describes the list at `path`. */
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
