import type { Term } from "../tree/index.ts";

/** Returns whether a term is `has(argument)`, the only term that is a condition by itself. */
export function isPresence({ functions }: Term): boolean {
  return functions.length === 1 && functions[0]?.text === "has";
}
