// Finds settings that allow actions that rules forbid. An opening states the path of such a setting in the file, and
// decides which of its values weaken the protection.

import type { FindingText } from "./finding-text.ts";
import type { FindingList } from "./findings.ts";
import { getPath } from "./value.ts";

export interface Opening extends FindingText {
  readonly path: string;
  readonly isOpen: (value: unknown) => boolean;
}

export const isTrue = (value: unknown): boolean => value === true;
export const isFalse = (value: unknown): boolean => value === false;
export const isThere = (value: unknown): boolean =>
  value !== undefined && JSON.stringify(value) !== "[]" && JSON.stringify(value) !== "{}";
export const is =
  (...words: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === "string" && words.includes(value);

export const open = (path: string, isOpen: Opening["isOpen"], why: string, instead: string): Opening => ({
  path,
  isOpen,
  why,
  instead,
});

/** Reports the settings that weaken the protection. The paths of `openings` begin in the object at the path `at`. */
export function reportOpenings(
  openings: readonly Opening[],
  settings: unknown,
  found: FindingList,
  at: readonly string[] = [],
): void {
  for (const { path, isOpen, why, instead } of openings) {
    const whole = [...at, ...path.split(".")];
    if (isOpen(getPath(settings, whole))) found.add("open", whole, why, instead);
  }
}
