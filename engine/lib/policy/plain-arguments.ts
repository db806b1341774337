// Validates the most frequent form of arguments with one regular expression. This form has only short texts without
// escapes, under names of the tool, and follows RFC 8785. The expression only accepts; all other arguments are left to
// the reader and the checker.
import type { Param } from "../wire/generated/policy.ts";
import { MAX_JSON_BYTES } from "./json-reader.ts";

/** A fast test for the arguments of a tool whose required parameters are texts. */
export interface Outline {
  readonly pattern: RegExp;
  /** Maximum length of the whole text, up to which every value in it is certainly short enough. */
  readonly most: number;
}

/** Maximum length of a text for the pattern. For longer texts, native code is faster if the engine has no JIT compiler. */
const LONGEST = 256;
/** Pattern of a JSON text without escapes, characters that need one, or surrogates. */
const PLAIN_TEXT = '"[^"\\\\\\u0000-\\u001f\\ud800-\\udfff]*"';
/** Names that need no escape in a regular expression or in JSON; `__proto__` is not among them. */
const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * Returns whether a text is certainly canonical and valid. It may return false for unusual valid texts: only the reader and
 * the checker refuse arguments. Tests verify that both accept every text that this function accepts, and do not change it.
 */
export function isFittingAtSight({ pattern, most }: Outline, text: string): boolean {
  return text.length <= most && pattern.test(text);
}

/** Returns the outline of a tool, or `undefined` if it has no required argument, or a required argument that is not a text. */
export function buildOutline(params: readonly Param[]): Outline | undefined {
  const texts = params.filter(({ type }) => type.which === "text").sort((a, b) => (a.name < b.name ? -1 : 1));
  const asked = params.filter(({ required }) => required);
  const anchor = texts.findIndex(({ required }) => required);
  if (anchor === -1 || !asked.every((param) => texts.includes(param)) || !isPlain(params)) return undefined;
  const parts = texts.map(({ name, required }, at) => {
    // The pattern of an optional member includes the comma between it and the anchor.
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

/** Returns how many characters of three bytes the limit of a value allows. */
function computeMaxCharacters({ type }: Param): number {
  const limit = type.which === "text" ? type.text.maxBytes : 0;
  return Math.floor((limit === 0 ? MAX_JSON_BYTES : limit) / 3);
}
