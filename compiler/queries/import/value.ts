// Values of settings as the reader gives them: nothing is known of their form.

import type { Span } from "../../../lang/text/index.ts";

export type PlaceOf = (path: readonly (string | number)[]) => Span;

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What an object holds by this name of its own; `undefined` if it is no object, or has no such name. */
export function getProperty(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
}

/** The same through several objects. */
export function getPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce(getProperty, value);
}

/** The texts of a list, each with its place in it; none where it is no list. */
export function collectTexts(value: unknown): readonly (readonly [index: number, text: string])[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown, index) => (typeof each === "string" ? [[index, each] as const] : []));
}
