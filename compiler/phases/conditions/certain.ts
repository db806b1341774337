import type { Condition, Type } from "../../../engine/lib/wire/generated/policy.ts";
import { isOfText } from "./demands.ts";
import { isKnowable, isSafe } from "./knowable.ts";
import { canBeAnswered } from "./possible.ts";

/**
 * Returns whether every value of the type meets the condition, so that the condition is never unknown. `true` is
 * certain; `false` may be wrong. If the condition has the quantifier `every`, `type` is the type of the elements.
 */
export function isAlwaysMet(type: Type, condition: Condition): boolean {
  const { each, extract, term } = condition;
  // These conditions are not met by every value: `some` fails for an empty list, and a text may contain too many links or addresses to
  // check.
  if (each === "some" || extract !== "none" || term === "has") return false;
  const one: Condition = { ...condition, each: "single", absentHolds: false };
  return isKnownOfAll(type, one) && !canBeAnswered(type, [{ condition: one, holds: false }]);
}

/**
 * Returns whether the condition is known for all values. A condition that needs a path, an address or an amount is not
 * known for all texts, because a text may be none of these. Conditions on the size or spelling of a text, and on other
 * types, are always known.
 */
function isKnownOfAll(type: Type, condition: Condition): boolean {
  const { term, operator } = condition;
  if (!isKnowable(type, condition) || operator === "under" || operator === "from") return false;
  if (isOfText(operator)) return type.which === "text" || type.which === "choice";
  if (term === "size") return type.which === "text";
  if (term === "count") return type.which === "list";
  switch (type.which) {
    case "boolean":
    case "choice":
      return term === "value" && condition.literals.every(({ which }) => which !== "decimal");
    case "integer":
      return isSafe(type.integer);
    case "number":
      return true;
    case "text":
    case "list":
    case "record":
    case "json":
    case "either":
      return false;
  }
}

/**
 * Returns whether a condition on one value is met or not met, and never unknown, for every value of the type. `true` is
 * certain; `false` may be wrong.
 */
export function isAlwaysKnown(type: Type, condition: Condition): boolean {
  const isOfWords = condition.term === "value" && condition.literals.every(({ which }) => which === "text");
  const { operator } = condition;
  // `under` is unknown for texts that are not paths. `from` is unknown if the conversation no longer has all texts that
  // it read.
  const mayBeUnknown = operator === "under" || operator === "from";
  if (type.which === "text" && isOfWords && !mayBeUnknown) return isKnowable(type, condition);
  // JavaScript writes some numbers with an exponent, such as `1e-7`. Such a number is not an exact decimal, so a
  // condition on it may be unknown.
  return type.which !== "number" && isKnownOfAll(type, condition);
}
