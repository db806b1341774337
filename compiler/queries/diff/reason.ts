/** Pattern of a line in the tables with a reason at its end. It cannot match a part before `else`. */
const REASONED = / because "((?:[^"\\]|\\.)*)"(?: until "[0-9-]*")?$/;

/** Placeholder that `capc why` and `capc suggest` write where a person must give a reason. */
export const UNSAID = "say why";

/** Returns the reason of a line as its page writes it, or `undefined` if the line gives none. */
export function extractReason(words: string): string | undefined {
  return normalizeReason(REASONED.exec(words)?.[1]);
}

/** Returns the reason, or `undefined` if it is only the placeholder. */
export function normalizeReason(because: string | undefined): string | undefined {
  return because === UNSAID ? undefined : because;
}
