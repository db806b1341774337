// A condition of the tables in the page's own words: who is asked for consent, and who compares two pages, read the same.
import type { Condition, Literal } from "../wire/generated/policy.ts";
import { renderCanonicalJson } from "./canonical-json.ts";

const OPERATORS = {
  equal: "==",
  notEqual: "!=",
  less: "<",
  lessOrEqual: "<=",
  greater: ">",
  greaterOrEqual: ">=",
  in: "in",
  under: "under",
  from: "from",
} as const satisfies Record<Condition["operator"], string>;

/** As the page writes it: `size(content) <= 65536`. */
export function renderCondition({ path, term, operator, literals }: Condition): string {
  const name = path.join(".");
  const words = literals.map(renderLiteral);
  const right = operator === "in" ? `[${words.join(", ")}]` : words.join(", ");
  return `${term === "value" ? name : `${term}(${name})`} ${OPERATORS[operator]} ${right}`;
}

function renderLiteral(literal: Literal): string {
  switch (literal.which) {
    case "text":
      return renderCanonicalJson(literal.text);
    case "boolean":
      return String(literal.boolean);
    case "decimal":
      return literal.decimal;
  }
}
