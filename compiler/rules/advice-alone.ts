/** Sentence that says why `capc lint` fails although it found no error, and how to accept advice. */
export const ADVICE_ALONE =
  'there is no error, but advice also ends with status 1: correct it, accept it by a comment `// capc: allow CODE because "reason"` before its line, or run `capc check`, which fails only for errors';
