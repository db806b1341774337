/** A name or word that may stand at a place of the page. */
export interface Candidate {
  /** Text to insert into the page: for example, the name of a method is in quotes if the name is a reserved word. */
  readonly text: string;
  /**
   * Kind of the candidate: a kind of `Naming`, `word` for words that no page declares, or `argument` for arguments and
   * fields of a schema.
   */
  readonly what: string;
  readonly id: string;
  /** Type of the argument, if the candidate is an argument. */
  readonly detail?: string;
}

export function createCandidate(what: string, id: string): Candidate {
  return { text: id, what, id };
}

export function createWord(text: string): Candidate {
  return createCandidate("word", text);
}
