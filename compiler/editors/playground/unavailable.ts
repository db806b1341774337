// What stands in the place of a function that a browser does not have. Whoever calls it is told which one that is.

const MARK = "only the command line does this: ";

/** A function that refuses to be called, as a class too. */
export function leftOut(what: string): () => never {
  return function refuse(): never {
    throw new Error(`${MARK}${what}`);
  };
}

/** What such a function was, by what was thrown; nothing where that is something else. */
export function findLeftOut(thrown: unknown): string | undefined {
  const message = thrown instanceof Error ? thrown.message : "";
  return message.startsWith(MARK) ? message.slice(MARK.length) : undefined;
}
