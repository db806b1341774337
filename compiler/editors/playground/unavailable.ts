// Makes replacements of Node's functions for the playground, because a browser does not have these functions. A
// replacement throws an error with the feature that needs it, such as "imported Cap'n Proto schemas".

const MARK = "only the command line does this: ";

/**
 * Returns a function that throws when it is called, also as a constructor. `what` names the feature that needs this
 * function.
 */
export function leftOut(what: string): () => never {
  return function refuse(): never {
    throw new Error(`${MARK}${what}`);
  };
}

/** Returns the feature `what` if a function of `leftOut` threw the error, or `undefined` for other errors. */
export function findLeftOut(thrown: unknown): string | undefined {
  const message = thrown instanceof Error ? thrown.message : "";
  return message.startsWith(MARK) ? message.slice(MARK.length) : undefined;
}
