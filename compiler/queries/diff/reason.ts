/** A line as the tables call it, with a reason at its end. What stands before `else` cannot end like this. */
const REASONED = / because "((?:[^"\\]|\\.)*)"(?: until "[0-9-]*")?$/;

/** What `capc why` and `capc suggest` write where a person has to give the reason. */
export const UNSAID = "say why";

/** What a line says it is for, as its page writes it; nothing where it says none. */
export function extractReason(words: string): string | undefined {
  return normalizeReason(REASONED.exec(words)?.[1]);
}

/** Words that stand for a reason are none. */
export function normalizeReason(because: string | undefined): string | undefined {
  return because === UNSAID ? undefined : because;
}
