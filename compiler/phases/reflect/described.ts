// Types of JSON values with descriptions: the form between a schema and the tool that models and the gate use.

import type { Param, Type } from "../../../engine/lib/wire/generated/policy.ts";

/** A parameter as the gate checks it, with the schema's description. */
export interface DescribedParam extends Param {
  readonly doc: string;
  readonly type: DescribedType;
}

/** A `Type` whose records keep their descriptions. */
export type DescribedType =
  | Exclude<Type, { readonly which: "list" | "record" | "either" }>
  | { readonly which: "list"; readonly list: DescribedType }
  | { readonly which: "record"; readonly record: readonly DescribedParam[] }
  | { readonly which: "either"; readonly either: readonly DescribedType[] };

/** Joins lines that a source file wraps at its margin, because a model reads them as one paragraph. */
export function unwrapProse(words: string): string {
  return words.replace(/\s*\n\s*/g, " ");
}

const SHORTENED = " … (shortened)";

/** Returns the text if it has at most `most` characters. Otherwise cuts it and appends a note. */
export function shortenWords(words: string, most: number): string {
  if (words.length <= most) return words;
  return `${words.slice(0, most - SHORTENED.length).replace(/[\ud800-\udbff]$/, "")}${SHORTENED}`;
}

/** Maximum size of one text argument, in bytes of UTF-8. Escapes in JSON can make it six times as long, which still fits into a frame. */
export const MAX_TEXT_BYTES = 131_072;

/** Largest integer that JSON represents exactly. Wider ranges in a schema are cut to it. */
export const SAFE_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);
