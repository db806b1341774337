import type { Condition, Type } from "../../../engine/lib/wire/generated/policy.ts";
import { isKnowable, isSafe } from "./knowable.ts";
import { canBeAnswered } from "./possible.ts";

/** Returns whether every value of the type meets the condition, and none leaves it unknown. `true` is certain. */
export function isAlwaysMet(type: Type, condition: Condition): boolean {
  return isKnownOfAll(type, condition) && !canBeAnswered(type, [{ condition, holds: false }]);
}

/** A text may be no path, no address and no amount; its size, and values of other types, are always known. */
function isKnownOfAll(type: Type, condition: Condition): boolean {
  if (!isKnowable(type, condition) || condition.operator === "under" || condition.operator === "from") return false;
  if (condition.term === "size") return type.which === "text";
  switch (type.which) {
    case "boolean":
    case "choice":
      return condition.term === "value" && condition.literals.every(({ which }) => which !== "decimal");
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
