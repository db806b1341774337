// Renders the schema of requests to Cedar. It has an action for each tool, with the arguments that have a type in
// Cedar.

import type { Param, Tool, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { quoteText, renderAttribute } from "./expressions.ts";

const LEAST = -(1n << 63n);
const MOST = (1n << 63n) - 1n;

/**
 * Returns the Cedar type, or `undefined` if Cedar has none: for fractions, lists, values of several shapes, and integers beyond signed 64
 * bits.
 */
export function convertToCedarType(type: Type): string | undefined {
  switch (type.which) {
    case "boolean":
      return "Bool";
    case "integer":
      return type.integer.low >= LEAST && type.integer.high <= MOST ? "Long" : undefined;
    case "text":
    case "choice":
      return "String";
    case "record":
      return recordType(type.record);
    case "number":
    case "list":
    case "json":
    case "either":
      return undefined;
  }
}

function recordType(params: readonly Param[]): string {
  const fields = params.flatMap(({ name, type, required }) => {
    const cedar = convertToCedarType(type);
    return cedar === undefined ? [] : [`${renderAttribute(name)}${required ? "" : "?"}: ${cedar}`];
  });
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

const HEAD = `entity Place;
entity Service;

type Label = { confidentiality: String, integrity: String, compartments: Set<String> };
`;

export function renderCedarSchema(tools: readonly Tool[]): string {
  const actions = tools.map(
    ({ name, params }) => `
action ${quoteText(name)} appliesTo {
  principal: [Place],
  resource: [Service],
  context: { passed: Long, unattended: Bool, label: Label, arguments: ${recordType(params)} }
};
`,
  );
  return `${HEAD}${actions.join("")}`;
}
