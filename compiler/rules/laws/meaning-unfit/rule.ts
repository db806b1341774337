import type { Span } from "../../../../lang/text/index.ts";
import type { Interface, Method, Type } from "../../../phases/bind/index.ts";
import { getElementType } from "../../support/arguments.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { meaningUnfit } from "./codes.ts";

/** Meanings are of texts and of choices among texts; an amount of money is no choice. */
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
    // Of a list the meaning is that of its elements.
    const type = whole && getElementType(whole);
    if (type === undefined || type.which === "text" || (type.which === "choice" && kind !== "money")) continue;
    const facts = { argument, method: description.name, meaning: MEANINGS[kind], type: typeWords(type) };
    report(meaningUnfit.at(placeOf(argument), facts));
  }
}

/** Where the page says it; a fact that a schema states stands at the import. */
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

function typeWords({ which }: Type): string {
  switch (which) {
    case "boolean":
      return "true or false";
    case "integer":
    case "number":
      return "a number";
    case "choice":
      return "one of a list of words";
    case "list":
      return "a list";
    case "record":
      return "a record";
    case "text":
      return "a text";
    case "json":
      return "any JSON";
    case "either":
      return "one of several shapes";
  }
}
