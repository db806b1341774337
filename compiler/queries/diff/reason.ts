/**
 * Matches a line of the tables with a reason at its end. A reason is possible only at the end of a line, never before
 * `else`.
 */
const REASONED = / because "((?:[^"\\]|\\.)*)"(?: until "[0-9-]*")?$/;

/** Placeholder that `capc why` and `capc suggest` write where a person has to give the reason. */
export const UNSAID = "say why";

/** Returns the reason that a line gives, as the page writes it, or `undefined` if the line gives none. */
export function extractReason(words: string): string | undefined {
  return normalizeReason(REASONED.exec(words)?.[1]);
}

/** Returns the reason, or `undefined` if it is only the placeholder. */
export function normalizeReason(because: string | undefined): string | undefined {
  return because === UNSAID ? undefined : because;
}
