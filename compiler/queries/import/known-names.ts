// Finds names of settings that a program does not document.

import { findNearest } from "../../../lang/diagnostics/index.ts";
import type { FindingList } from "./findings.ts";
import { getPath, isObject } from "./value.ts";

/**
 * Documented names of the properties of each object, by its path. The path is written with dots, and is empty for the
 * whole file.
 */
export type KnownNames = ReadonlyMap<string, ReadonlySet<string>>;

/** Reports names that are not documented, and values that should be objects but are not. */
export function reportUnknownNames(known: KnownNames, settings: unknown, found: FindingList): void {
  for (const [place, names] of known) {
    const path = place === "" ? [] : place.split(".");
    const value = getPath(settings, path);
    if (value === undefined) continue;
    if (!isObject(value)) {
      if (path.length > 0) found.add("unread", path, "it is an object, and no other value is read");
      continue;
    }
    reportUnknown([...path], Object.keys(value), { names, known }, found);
  }
}

function reportUnknown(
  path: readonly string[],
  written: readonly string[],
  { names, known }: { readonly names: ReadonlySet<string>; readonly known: KnownNames },
  found: FindingList,
): void {
  for (const name of written.filter((each) => !names.has(each))) {
    const home = [...known].find(([place, there]) => place !== path.join(".") && there.has(name))?.[0];
    const near = findNearest(name, names);
    if (home !== undefined)
      found.add(
        "unread",
        [...path, name],
        "it counts in another place",
        `write ${[home, name].filter(Boolean).join(".")}`,
      );
    else
      found.add(
        "unread",
        [...path, name],
        "no documented setting has this name",
        near === undefined ? "leave it out" : `did you mean ${[...path, near].join(".")}?`,
      );
  }
}

/** Reports a value that is not one of the documented words. `undefined` counts as documented. */
export function reportUnknownWord(
  path: readonly string[],
  value: unknown,
  words: readonly string[],
  found: FindingList,
): void {
  if (value === undefined || (typeof value === "string" && words.includes(value))) return;
  const near = typeof value === "string" ? findNearest(value, words) : undefined;
  found.add(
    "unread",
    path,
    "no documented value is written like this",
    near === undefined ? `write one of ${words.join(", ")}` : `did you mean ${near}?`,
  );
}
