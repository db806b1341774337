/** A name that may be used at a place. */
export interface Candidate {
  /** Text as the page writes it: a reserved word as the name of a method is in quotes. */
  readonly text: string;
  /** Kind as in a naming; `word` for words that no page declares, `argument` for arguments and fields of a schema. */
  readonly what: string;
  readonly id: string;
  /** Type of an argument. */
  readonly detail?: string;
}

export function createCandidate(what: string, id: string): Candidate {
  return { text: id, what, id };
}

export function createWord(text: string): Candidate {
  return createCandidate("word", text);
}
