// Finds the folder or file of a project that a rule about files names, and writes it as the condition `path under
// "/src"`. It writes no condition `path == "/src"`, because several paths can lead to the same file.

import { isSecretPlace } from "./places.ts";

/** A folder or a file, as an absolute path within the folder of the service: `/src`. */
export type FilePlace = string;

export function renderFilePlace(place: FilePlace): string {
  return `path under ${JSON.stringify(place)}`;
}

/** Returns whether the first place equals or contains the second place. */
export function isFilePlaceCovering(one: FilePlace, other: FilePlace): boolean {
  return one === other || other.startsWith(`${one}/`);
}

/** Result of reading a pattern of a file. */
type FilePattern =
  | { readonly kind: "place"; readonly place: FilePlace }
  /** All files of the project. */
  | { readonly kind: "all" }
  /** Files of the machine or the person, which are not in a project. */
  | { readonly kind: "outside" }
  | { readonly kind: "unsayable" };

const SYSTEM = /^\/\/?(?:etc|usr|bin|sbin|lib|lib64|boot|dev|proc|sys|run)(?:\/|$)/;

/**
 * Reads a gitignore pattern of files in the project: `src/**`, `./src/**`, `/src/**`, or one file such as `./.env` or
 * `src/key`. Other patterns are refused, because they may match anywhere in the project: a name without a slash matches
 * at any depth.
 */
export function parseFilePattern(pattern: string): FilePattern {
  if (/^(?:\.?\/)?\*\*(?:\/\*)?$/.test(pattern)) return { kind: "all" };
  if (/^~\//.test(pattern) ? isSecretPlace(pattern) : pattern.startsWith("//") && SYSTEM.test(pattern))
    return { kind: "outside" };
  const [, anchor = "", place, inside] = /^(\.\/|\/(?!\/))?([\w.-]+(?:\/[\w.-]+)*)(\/\*\*)?$/.exec(pattern) ?? [];
  if (place === undefined || place.split("/").some((name) => name === "." || name === ".."))
    return { kind: "unsayable" };
  return anchor !== "" || inside !== undefined || place.includes("/")
    ? { kind: "place", place: `/${place}` }
    : { kind: "unsayable" };
}
