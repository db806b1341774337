import { type Category, type Hints, isWithin } from "../../../phases/bind/index.ts";
import { defineLaw } from "../../support/index.ts";
import { hintStricter } from "./codes.ts";

/**
 * Reports imported tools whose servers declare them to be more dangerous than the page does. Claims of a server never
 * make a tool less dangerous.
 */
export const rule = defineLaw({
  reports: [hintStricter],
  check: ({ model }, report) => {
    for (const { name: face, methods, hints, node } of model.interfaces) {
      for (const { name, category } of methods.values()) {
        const claim = findContraryClaim(category, hints?.get(name));
        if (claim === undefined) continue;
        const at = node.methods.find((method) => method.name.text === name)?.category.span ?? node.name.span;
        report(hintStricter.at(at, { tool: `${face}.${name}`, category: category.name, claim }));
      }
    }
  },
});

/**
 * Returns the claim of the server that contradicts the category, or `undefined` if there is none. MCP's default, that a
 * tool is destructive, is not a claim of the server.
 */
function findContraryClaim(category: Category, hints: Hints | undefined): string | undefined {
  if (isWithin(category, "readOnly")) {
    if (hints?.destructive === true && hints.readOnly !== true) return "that it destroys";
    return hints?.readOnly === false ? "that it does not only read" : undefined;
  }
  return isWithin(category, "mutatingLocal") && hints?.destructive === true && hints.readOnly !== true
    ? "that it destroys"
    : undefined;
}
