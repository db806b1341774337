// Findings of a comparison with the tables of `engine/lib/roles`.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A place that does not agree with the tables: where it is, what is wrong there, and what to do. */
export interface Gap {
  readonly path: string;
  readonly what: string;
}

/** Returns the text of a file of the checkout, or an empty one if it is not there: then all that it should hold is missing. */
export function readPlace(checkout: string, path: string): string {
  const place = join(checkout, path);
  return existsSync(place) ? readFileSync(place, "utf8") : "";
}

/** Returns a gap for each name that is in one list alone. `where` says what the list at `path` is. */
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
