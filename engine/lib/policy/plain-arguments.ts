// Most arguments are short texts without escapes, under names that their tool knows, written as RFC 8785 demands. A pattern detects
// whether a call's arguments are of this kind. The pattern decides nothing else: only the reader parses values.
import type { Param } from "../wire/generated/policy.ts";
import { MAX_JSON_BYTES } from "./json-reader.ts";

/** A quick test for the arguments of a tool whose required arguments are all texts. */
export interface Outline {
  readonly pattern: RegExp;
  /** Maximum length of the whole text: up to this length, no value can exceed its own limit. */
  readonly most: number;
}

/**
 * Maximum characters of a text that a pattern tests: without a JIT compiler, a pattern costs more per character than
 * native code.
 */
const LONGEST = 256;
/** Pattern of a JSON text without escapes, characters that must be escaped, or surrogates. */
const PLAIN_TEXT = '"[^"\\\\\\u0000-\\u001f\\ud800-\\udfff]*"';
/** Names that are spelled the same in a pattern as in JSON, and are not `__proto__`. */
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * Returns whether the text of arguments certainly is canonical and fits the tool's parameters. The function may return
 * `false` for unusual texts that fit: `readArguments` and `checkRecord` decide about these texts, and only they refuse
 * a text. The tests verify that both accept, unchanged, every text that is accepted here.
 */
export function isFittingAtSight({ pattern, most }: Outline, text: string): boolean {
  return text.length <= most && pattern.test(text);
}

/**
 * Returns the outline of a tool. Returns `undefined` if the tool has no required text, if a required argument is not a text, or if the
 * names are not plain and distinct.
 */
export function buildOutline(params: readonly Param[]): Outline | undefined {
  const texts = params.filter(({ type }) => type.which === "text").sort((a, b) => (a.name < b.name ? -1 : 1));
  const asked = params.filter(({ required }) => required);
  const anchor = texts.findIndex(({ required }) => required);
  if (anchor === -1 || !asked.every((param) => texts.includes(param)) || !isPlain(params)) return undefined;
  const parts = texts.map(({ name, required }, at) => {
    // The anchor is the first required member. A comma follows each member before the anchor, and precedes each member
    // after the anchor. If an optional member is absent, its comma is absent too.
    const member = `${at > anchor ? "," : ""}"${name}":${PLAIN_TEXT}${at < anchor ? "," : ""}`;
    return required ? member : `(?:${member})?`;
  });
  // A value is at most as long as the whole text without its fixed parts.
  const frame = `{${asked.map(({ name }) => `"${name}":""`).join(",")}}`.length;
  const most = Math.min(LONGEST, ...texts.map((param) => frame + computeMaxCharacters(param)));
  return { pattern: new RegExp(`^\\{${parts.join("")}\\}$`), most };
}

/** Returns whether all names are plain and distinct: a repeated name is a defect of the tables that only the checker detects. */
function isPlain(params: readonly Param[]): boolean {
  const names = params.map(({ name }) => name);
  return names.every((name) => PLAIN_NAME.test(name)) && new Set(names).size === names.length;
}

/** Returns the maximum number of characters of a value; each takes at most three bytes. */
function computeMaxCharacters({ type }: Param): number {
  const limit = type.which === "text" ? type.text.maxBytes : 0;
  return Math.floor((limit === 0 ? MAX_JSON_BYTES : limit) / 3);
}
