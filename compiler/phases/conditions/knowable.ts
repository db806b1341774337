import { makeStandIn, parseDecimal, parsePathSegments } from "../../../engine/lib/policy/index.ts";
import type { Condition, Literal, Type } from "../../../engine/lib/wire/generated/policy.ts";

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns whether some value of the type can be compared with all literals of the condition; if none can, the condition
 * is always unknown.
 */
export function isKnowable(type: Type, condition: Condition): boolean {
  if (condition.operator === "from") return isOpen(type) || (hasTerm(type, condition) && hasWords(type, condition));
  if (condition.literals.length === 0) return false;
  if (condition.term === "has" || isOpen(type)) return true;
  return (
    hasTerm(type, condition) && condition.literals.every((literal) => isComparable(type, condition, standFor(literal)))
  );
}

/**
 * Returns a literal that can be compared with the same values as this literal; a parameter is replaced by a sample
 * value.
 */
function standFor(literal: Literal): Literal {
  return literal.which === "parameter" ? makeStandIn(literal.parameter.kind) : literal;
}

/**
 * Returns whether a value of the type is any JSON or one of several alternatives. No condition on such a value can be
 * ruled out.
 */
export function isOpen({ which }: Type): boolean {
  return which === "json" || which === "either";
}

/**
 * Returns whether `from` can test this term: texts and numbers have sources. Booleans and choices have none, and
 * neither have terms such as `size` and `count`.
 */
function hasWords({ which }: Type, { term }: Condition): boolean {
  const isNumber = term === "size" || term === "count" || term === "has";
  return !isNumber && (which === "text" || which === "integer" || which === "number");
}

function hasTerm(type: Type, { term, extract }: Condition): boolean {
  switch (term) {
    case "value":
      return type.which !== "list" && type.which !== "record";
    case "count":
      return extract === "none" ? type.which === "list" : isWord(type);
    case "has":
      return true;
    case "size":
    case "origin":
    case "domain":
    case "date":
    case "duration":
      return isWord(type);
  }
}

/** Terms that are always numbers, whatever the type of the argument. */
const AMOUNTS: readonly Condition["term"][] = ["size", "count", "date", "duration"];

function isComparable(type: Type, { term, operator }: Condition, literal: Literal): boolean {
  const isNumber = AMOUNTS.includes(term);
  switch (operator) {
    case "from":
      return false;
    case "under":
      if (literal.which !== "text" || !isWord(type)) return false;
      return term === "domain" || (term === "value" && parsePathSegments(literal.text) !== undefined);
    case "startsWith":
    case "endsWith":
    case "matches":
      return literal.which === "text" && term === "value" && isWord(type);
    case "less":
    case "lessOrEqual":
    case "greater":
    case "greaterOrEqual":
      return literal.which === "decimal" && (isNumber || (term === "value" && isAmount(type, literal.decimal)));
    case "equal":
    case "notEqual":
    case "in":
      if (literal.which === "decimal") return isNumber || (term === "value" && isAmount(type, literal.decimal));
      return literal.which === "text" ? !isNumber && isWord(type) : term === "value" && type.which === "boolean";
  }
}

function isAmount(type: Type, decimal: string): boolean {
  return type.which !== "boolean" && parseDecimal(decimal) !== undefined;
}

/** Returns whether JSON represents values of the type as texts; this includes integers beyond 2^53 - 1. */
function isWord(type: Type): boolean {
  return type.which === "text" || type.which === "choice" || (type.which === "integer" && !isSafe(type.integer));
}

/** Returns whether all integers between the bounds are sent as JSON numbers and not as texts. */
export function isSafe({ low, high }: { readonly low: bigint; readonly high: bigint }): boolean {
  return low >= -SAFE && high <= SAFE;
}
