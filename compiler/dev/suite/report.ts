// Reads JSON reports of other programs, such as Vitest. A report may be any value, or `undefined` if the program wrote
// no report or no JSON.

import { existsSync, readFileSync } from "node:fs";

/** Returns the report in a file, or `undefined` if it does not exist. */
export function reportAt(path: string): unknown {
  return existsSync(path) ? reportIn(readFileSync(path, "utf8")) : undefined;
}

/** Returns the report that a program printed, or `undefined` if it is not JSON. */
export function reportIn(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

/** Returns a field of an unknown value, or `undefined` if the value has no such field. */
export function getField(value: unknown, name: string): unknown {
  if (value === null || typeof value !== "object") return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** Returns a field of an unknown value if the field is a list; otherwise returns an empty list. */
export function list(value: unknown, name: string): readonly unknown[] {
  const found = getField(value, name);
  return Array.isArray(found) ? found : [];
}
