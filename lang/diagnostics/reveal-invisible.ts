import { UNSEEN } from "../text/index.ts";

// Sources are untrusted and are drawn on terminals. A character that would move the cursor, or hide or reorder text, is drawn as
// its code point, such as ‹U+202E›.

const SPELT = new RegExp(`\\p{Cs}|${UNSEEN}`, "gu");

/** Returns the text with every control, format, private-use, filler, variation and lone surrogate code point escaped. */
export function escapeInvisible(text: string): string {
  return text.replace(SPELT, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `‹U+${code}›`;
  });
}
