import type { Span } from "../../../../lang/text/index.ts";
import type { Interface, Method, Type } from "../../../phases/bind/index.ts";
import { getElementType } from "../../support/arguments.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { meaningUnfit } from "./codes.ts";

/**
 * Checks that only arguments that are texts or choices have a meaning, such as `path`. An argument that is a choice
 * cannot have the meaning "an amount of money".
 */
export const rule = defineLaw({
  reports: [meaningUnfit],
  check: ({ model, trees }, report) => {
    const sources = new Set(trees.map(({ source }) => source));
    for (const face of new Set(model.tools.map(({ service }) => service.interface))) {
      for (const method of face.methods.values()) {
        checkMethod(method, (argument) => placeIn(face, method, argument, sources), report);
      }
    }
  },
});

function checkMethod({ meanings, description }: Method, placeOf: (argument: string) => Span, report: Report): void {
  for (const [argument, { kind }] of meanings) {
    const whole = description.params.find(({ name }) => name === argument)?.type;
    // The meaning of a list is the meaning of its elements.
    const type = whole && getElementType(whole);
    if (type === undefined || type.which === "text" || (type.which === "choice" && kind !== "money")) continue;
    const facts = { argument, method: description.name, meaning: MEANINGS[kind], type: TYPES[type.which] };
    report(meaningUnfit.at(placeOf(argument), facts));
  }
}

/** Returns the place of the fact on the page; a fact from a schema is placed at the import. */
function placeIn({ node }: Interface, { name }: Method, argument: string, sources: ReadonlySet<unknown>): Span {
  const facts = node.methods.find((written) => written.name.text === name)?.facts ?? [];
  const fact = facts.find((written) => written.kind === "argument" && written.argument.text === argument);
  return fact !== undefined && sources.has(fact.span.source) ? fact.span : node.name.span;
}

const MEANINGS = {
  path: "a path",
  url: "a URL",
  text: "words",
  program: "the name of a program",
  money: "an amount of money",
} as const;

const TYPES: Readonly<Record<Type["which"], string>> = {
  boolean: "true or false",
  integer: "a number",
  number: "a number",
  choice: "one of a list of words",
  list: "a list",
  record: "a record",
  text: "a text",
  json: "any JSON",
  either: "one of several shapes",
};
