import { parseDecimal, parsePathSegments } from "../../../engine/lib/policy/index.ts";
import type { Condition, Literal, Type } from "../../../engine/lib/wire/generated/policy.ts";

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Whether some value of the type can be compared with all literals of the condition; else its answer is always unknown. */
export function isKnowable(type: Type, { term, operator, literals }: Condition): boolean {
  if (operator === "from") return isOpen(type) || (hasTerm(type, term) && hasWords(type, term));
  if (literals.length === 0) return false;
  if (isOpen(type)) return true;
  if (!hasTerm(type, term)) return false;
  return literals.every((literal) => isComparable(type, term, operator, literal));
}

/** Whether a value of the type may have any of several forms: then no condition about it is ruled out. */
export function isOpen({ which }: Type): boolean {
  return which === "json" || which === "either";
}

/** Whether it can be asked whose words a term is: texts and numbers have some; a truth value and one of a few words have none. */
function hasWords(type: Type, term: Condition["term"]): boolean {
  return term !== "size" && (type.which === "text" || type.which === "integer" || type.which === "number");
}

function hasTerm(type: Type, term: Condition["term"]): boolean {
  switch (term) {
    case "value":
      return type.which !== "list" && type.which !== "record";
    case "size":
    case "origin":
      return isWord(type);
  }
}

function isComparable(type: Type, term: Condition["term"], operator: Condition["operator"], literal: Literal): boolean {
  if (literal.which === "decimal") return operator !== "under" && term !== "origin" && isAmount(type, literal.decimal);
  if (operator === "under") return literal.which === "text" && term !== "size" && hasFolder(type, literal.text);
  if (operator !== "equal" && operator !== "notEqual" && operator !== "in") return false;
  return literal.which === "text" ? term !== "size" && isWord(type) : term === "value" && type.which === "boolean";
}

function isAmount(type: Type, decimal: string): boolean {
  return type.which !== "boolean" && parseDecimal(decimal) !== undefined;
}

function hasFolder(type: Type, folder: string): boolean {
  return isWord(type) && parsePathSegments(folder) !== undefined;
}

/** Whether values of the type are texts in JSON. Integers beyond 2^53 - 1 are. */
function isWord(type: Type): boolean {
  return type.which === "text" || type.which === "choice" || (type.which === "integer" && !isSafe(type.integer));
}

/** Whether no integer between the bounds travels as text. */
export function isSafe({ low, high }: { readonly low: bigint; readonly high: bigint }): boolean {
  return low >= -SAFE && high <= SAFE;
}
