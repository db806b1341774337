// The schema of Cedar's requests: an action for each tool, with the arguments that Cedar has a type for.

import type { Param, Tool, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { attribute, quoted } from "./words.ts";

const LEAST = -(1n << 63n);
const MOST = (1n << 63n) - 1n;

/** Nothing for a type that Cedar does not have: fractions, lists, and integers beyond 64 bits with a sign. */
export function cedarType(type: Type): string | undefined {
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
      return undefined;
  }
}

function recordType(params: readonly Param[]): string {
  const fields = params.flatMap(({ name, type, required }) => {
    const cedar = cedarType(type);
    return cedar === undefined ? [] : [`${attribute(name)}${required ? "" : "?"}: ${cedar}`];
  });
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

const HEAD = `entity Place;
entity Service;

type Label = { confidentiality: String, integrity: String, compartments: Set<String> };
`;

export function cedarSchema(tools: readonly Tool[]): string {
  const actions = tools.map(
    ({ name, params }) => `
action ${quoted(name)} appliesTo {
  principal: [Place],
  resource: [Service],
  context: { passed: Long, unattended: Bool, label: Label, arguments: ${recordType(params)} }
};
`,
  );
  return `${HEAD}${actions.join("")}`;
}
