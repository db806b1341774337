// Defines types of JSON values with descriptions. A schema is converted to such types, and a tool is made from them.

import type { Param, Type } from "../../../engine/lib/wire/generated/policy.ts";

/** A parameter in the form that the gate checks, with the description in the schema. */
export interface DescribedParam extends Param {
  readonly doc: string;
  readonly type: DescribedType;
}

/** A type in which the members of records have descriptions. */
export type DescribedType =
  | Exclude<Type, { readonly which: "list" | "record" | "either" }>
  | { readonly which: "list"; readonly list: DescribedType }
  | { readonly which: "record"; readonly record: readonly DescribedParam[] }
  | { readonly which: "either"; readonly either: readonly DescribedType[] };

/**
 * Joins lines that a source wrapped at its margin, because a model reads them as one paragraph. The pattern matches any
 * run of blanks, and the function then looks for a line end in the run. A pattern that contains the line end would take
 * quadratic time for long runs of blanks.
 */
export function unwrapProse(words: string): string {
  return words.replace(/\s+/g, (gap) => (gap.includes("\n") ? " " : gap));
}

const SHORTENED = " … (shortened)";

/** Returns a text of at most `most` characters. A longer text is cut, and a note at its end states this. */
export function shortenWords(words: string, most: number): string {
  if (words.length <= most) return words;
  return `${words.slice(0, most - SHORTENED.length).replace(/[\ud800-\udbff]$/, "")}${SHORTENED}`;
}

/**
 * Maximum length of one text argument in bytes of UTF-8. Such a text fits into one frame even if JSON escapes all its
 * characters, which makes it six times as long.
 */
export const MAX_TEXT_BYTES = 131_072;

/** Largest integer that JSON represents exactly. A larger range in a schema is reduced to this maximum. */
export const SAFE_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);
