// Replacements of functions that a browser does not have. A caller gets an error with the function's name.

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
