// Reads single values from parsed settings of other agent programs, such as Codex. The settings may have any form.

import type { Span } from "../../../lang/text/index.ts";

/** Names and indexes from the root of the settings to one setting: a property of an object, or an item of a list. */
export type Path = readonly (string | number)[];

export type PlaceOf = (path: Path) => Span;

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the property `name` of an object, or `undefined` if the value is not an object or lacks the property.
 * Inherited properties do not count.
 */
export function getProperty(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined;
}

/** Returns the property at the end of a path through several objects, or `undefined` if the path leads to none. */
export function getPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce(getProperty, value);
}

/** Returns the value at the end of a path through objects and lists, or `undefined` if the path leads to none. */
export function getAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (part, step) => (typeof step === "string" ? getProperty(part, step) : Array.isArray(part) ? part[step] : undefined),
    value,
  );
}

/** Returns the names and values of an object; empty if the value is not an object. */
export function listEntries(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** Returns the texts of a list, each with its index; empty if the value is not a list. */
export function collectTexts(value: unknown): readonly (readonly [index: number, text: string])[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown, index) => (typeof each === "string" ? [[index, each] as const] : []));
}
