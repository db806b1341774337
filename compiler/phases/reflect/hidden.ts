import { UNSEEN } from "../../../lang/text/index.ts";

/** Matches invisible characters, lone surrogates and unassigned code points. Tabs and line breaks do not match. */
const HIDDEN = new RegExp(`(?![\\t\\n\\r])(?:[\\p{Cs}\\p{Cn}]|${UNSEEN})`, "u");

/**
 * The first character of a description that a person does not see and a model reads, as U+202E; nothing where all can be
 * seen. What nobody can read nobody has agreed to.
 */
export function findHidden(words: string): string | undefined {
  const found = HIDDEN.exec(words)?.[0];
  if (found === undefined) return undefined;
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Why a description is not offered to a model; nothing where all of it can be seen. */
export function explainUnseen(description: string): string | undefined {
  const hidden = findHidden(description);
  return hidden && `its description holds ${hidden}${NOBODY_SEES}`;
}

const NOBODY_SEES = ", which nobody sees";

/** Whether this is why something is refused: it holds what nobody sees. */
export function isUnseen(reason: string): boolean {
  return reason.endsWith(NOBODY_SEES);
}
