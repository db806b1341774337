// Renders a condition of the tables as the page writes it: a person who consents and a person who compares pages read the same text.
import type { Condition, Literal, Related, Source } from "../wire/generated/policy.ts";
import { renderCanonicalJson } from "./canonical-json.ts";
import { durationText } from "./duration-text.ts";
import type { Term } from "./term.ts";
import { renderDateText } from "./time-text.ts";

const OPERATORS = {
  equal: "==",
  notEqual: "!=",
  less: "<",
  lessOrEqual: "<=",
  greater: ">",
  greaterOrEqual: ">=",
  in: "in",
  under: "under",
  startsWith: "startsWith",
  endsWith: "endsWith",
  matches: "matches",
  from: "from",
} as const satisfies Record<Condition["operator"], string>;

/** Renders a condition as the page writes it: `size(content) <= 65536`. */
export function renderCondition({ operator, literals, sources, absentHolds, ...term }: Condition): string {
  const subject = renderTerm(term);
  if (term.term === "has") return literals.some(isFalse) !== (operator === "notEqual") ? `not ${subject}` : subject;
  const words =
    operator === "from" ? sources.map(renderSource) : literals.map((literal) => renderLiteral(term.term, literal));
  const right = operator === "in" ? `[${words.join(", ")}]` : words.join(", ");
  return `${subject} ${OPERATORS[operator]} ${right}${absentHolds ? " or absent" : ""}`;
}

/** Renders a term as the page writes it: `every(domain(urls(body)))`. */
export function renderTerm({ path, term, each, extract }: Term): string {
  const functions = [each === "single" ? "" : each, term === "value" ? "" : term, extract === "none" ? "" : extract];
  return functions.reduceRight((inner, name) => (name === "" ? inner : `${name}(${inner})`), path.join("."));
}

function isFalse(literal: Literal): boolean {
  return literal.which === "boolean" && !literal.boolean;
}

/**
 * Renders a source as the page writes it: `contacts.find.address[owner == "ada"]`. Levels of integrity have no names
 * here, so a level is written as a number: `integrity level 2`.
 */
export function renderSource(source: Source): string {
  switch (source.which) {
    case "person":
    case "pasted":
    case "page":
    case "untrusted":
      return source.which;
    case "atLeast":
      return `integrity level ${source.atLeast}`;
    case "field": {
      const { tool, name, related } = source.field;
      const [call, record] = [true, false].map((ofCall) => related.filter((one) => one.ofCall === ofCall));
      return `${tool}${renderRelated(call, "()")}${name === "" ? "" : `.${name}`}${renderRelated(record, "[]")}`;
    }
  }
}

function renderRelated(related: readonly Related[] | undefined, brackets: "()" | "[]"): string {
  if (related === undefined || related.length === 0) return "";
  const asked = related.map(({ name, text, sources }) =>
    sources.length === 0
      ? `${name} == ${renderCanonicalJson(text)}`
      : `${name} from ${sources.map(renderSource).join(", ")}`,
  );
  return `${brackets[0]}${asked.join(" and ")}${brackets[1]}`;
}

/** Returns a literal in the notation of the page; the tables store dates and durations in milliseconds. */
function renderLiteral(term: Term["term"], literal: Literal): string {
  switch (literal.which) {
    case "text":
      return renderCanonicalJson(literal.text);
    case "boolean":
      return String(literal.boolean);
    case "parameter":
      return `task.${literal.parameter.name}`;
    case "decimal": {
      const { decimal } = literal;
      const date = term === "date" ? renderDateText(decimal) : undefined;
      if (date !== undefined) return renderCanonicalJson(date);
      return term === "duration" && /^\d{1,15}$/.test(decimal) ? durationText(Number(decimal)) : decimal;
    }
  }
}
