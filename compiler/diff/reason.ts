/** A line as the tables call it, with a reason at its end. What stands before `else` cannot end like this. */
const REASONED = / because "((?:[^"\\]|\\.)*)"(?: until "[0-9-]*")?$/;

/** What a line says it is for, as its page writes it; nothing where it says none. */
export function reasonIn(words: string): string | undefined {
  return REASONED.exec(words)?.[1];
}
