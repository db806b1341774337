import type { Term } from "../tree/index.ts";

/** Returns whether a term is `has(argument)`, which alone needs no test behind it. */
export function isPresence({ functions }: Term): boolean {
  return functions.length === 1 && functions[0]?.text === "has";
}
