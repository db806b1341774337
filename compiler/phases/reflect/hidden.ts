import { UNSEEN } from "../../../lang/text/index.ts";

/** Matches invisible characters, lone surrogates and unassigned code points. Tabs and line breaks do not match. */
const HIDDEN = new RegExp(`(?![\\t\\n\\r])(?:[\\p{Cs}\\p{Cn}]|${UNSEEN})`, "u");

/** Matches a joiner between two emoji, which draws both as one. In any other place, a joiner is invisible. */
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu;

/**
 * Returns the first character that a model reads but a person does not see, in the form `U+202E`; `undefined` if all
 * characters are visible. A person cannot approve invisible text.
 */
export function findHidden(words: string): string | undefined {
  const found = HIDDEN.exec(words.replace(EMOJI_JOINER, ""))?.[0];
  if (found === undefined) return undefined;
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Returns the reason for which a model must not read a description, or `undefined` if all of its characters are
 * visible.
 */
export function explainUnseen(description: string): string | undefined {
  const hidden = findHidden(description);
  return hidden && `its description holds ${hidden}${NOBODY_SEES}`;
}

const NOBODY_SEES = ", which nobody sees";

/** Returns whether a refusal is about invisible characters. */
export function isUnseen(reason: string): boolean {
  return reason.endsWith(NOBODY_SEES);
}
