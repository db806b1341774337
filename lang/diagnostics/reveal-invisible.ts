import { UNSEEN } from "../text/index.ts";

// Sources come from strangers and are drawn on terminals: what would move the cursor, hide or reorder text is
// drawn as ‹U+202E› instead.

const SPELT = new RegExp(`\\p{Cs}|${UNSEEN}`, "gu");

/** Returns the text with every control, format, private-use, filler, variation and lone surrogate code point spelt out. */
export function escapeInvisible(text: string): string {
  return text.replace(SPELT, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `‹U+${code}›`;
  });
}
