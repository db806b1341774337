// Decides whether no value fits two types. If so, `oneOf` and `anyOf` of the two mean the same.

import type { DescribedParam, DescribedType } from "./described.ts";

type Form = "boolean" | "number" | "text" | "list" | "object" | "any";

/** Returns whether no two of the types accept a common value. If this cannot be determined, it returns false. */
export function areDisjoint(types: readonly DescribedType[]): boolean {
  return types.every((type, index) => types.slice(index + 1).every((other) => isApart(type, other)));
}

function isApart(type: DescribedType, other: DescribedType): boolean {
  if (type.which === "either") return type.either.every((one) => isApart(one, other));
  if (other.which === "either") return isApart(other, type);
  if (type.which === "choice" && other.which === "choice")
    return new Set(type.choice).isDisjointFrom(new Set(other.choice));
  if (type.which === "record" && other.which === "record") return areRecordsApart(type.record, other.record);
  const [form, another] = [formOf(type), formOf(other)];
  return form !== "any" && another !== "any" && form !== another;
}

/**
 * Returns whether no value fits both records. This is so if each requires a member that the other lacks, or if both
 * require one member with disjoint types.
 */
function areRecordsApart(members: readonly DescribedParam[], others: readonly DescribedParam[]): boolean {
  const asks = (some: readonly DescribedParam[], more: readonly DescribedParam[]) =>
    some.some(({ name, required }) => required && !more.some((one) => one.name === name));
  if (asks(members, others) && asks(others, members)) return true;
  return members.some(({ name, required, type }) => {
    const other = others.find((one) => one.name === name);
    return required && other?.required === true && isApart(type, other.type);
  });
}

function formOf(type: DescribedType): Form {
  switch (type.which) {
    case "boolean":
    case "text":
    case "list":
    case "number":
      return type.which;
    case "integer":
      return "number";
    case "choice":
      return "text";
    case "record":
      return "object";
    case "json":
      return type.json.form;
    case "either":
      return "any";
  }
}
