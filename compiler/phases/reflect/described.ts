// Shapes of JSON values with the words about them: between what a schema says and what model and gate are told.

import type { Param, Type } from "../../../engine/lib/wire/generated/policy.ts";

/** A parameter as the gate checks it, with what the schema says about it in words. */
export interface DescribedParam extends Param {
  readonly doc: string;
  readonly type: DescribedType;
}

/** A Type whose records keep their words. */
export type DescribedType =
  | Exclude<Type, { readonly which: "list" | "record" | "either" }>
  | { readonly which: "list"; readonly list: DescribedType }
  | { readonly which: "record"; readonly record: readonly DescribedParam[] }
  | { readonly which: "either"; readonly either: readonly DescribedType[] };

/** Words are wrapped where their source has its margin; a model reads them as one paragraph. */
export function unwrapProse(words: string): string {
  return words.replace(/\s*\n\s*/g, " ");
}

const SHORTENED = " … (shortened)";

/** Returns words of at most so many characters: longer ones are cut, and say so. */
export function shortenWords(words: string, most: number): string {
  if (words.length <= most) return words;
  return `${words.slice(0, most - SHORTENED.length).replace(/[\ud800-\udbff]$/, "")}${SHORTENED}`;
}

/** Text of one argument, in bytes of UTF-8. Escaped in JSON it can be six times as long, and still fits into a frame. */
export const MAX_TEXT_BYTES = 131_072;

/** Integers of JSON are exact up to here; wider ones of the schema are cut to it. */
export const SAFE_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);
