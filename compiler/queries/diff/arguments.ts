// Decides whether one tool accepts all arguments that another tool accepts.

import type { Param, Type } from "../../../engine/lib/wire/generated/policy.ts";

type JsonBounds = Extract<Type, { readonly which: "json" }>["json"];
/** Number of bytes that suffices for the JSON of every number and boolean. */
const SHORT = 32;

/**
 * Returns whether every record that fits `others` fits `params`. If no record fits `others`, the result may be false.
 */
export function canAcceptAll(params: readonly Param[], others: readonly Param[]): boolean {
  const known = new Map(params.map((param) => [param.name, param]));
  const asked = new Set(others.flatMap(({ name, required }) => (required ? [name] : [])));
  return (
    others.every(({ name, type }) => {
      const param = known.get(name);
      return param !== undefined && canAcceptType(param.type, type);
    }) && params.every(({ name, required }) => !required || asked.has(name))
  );
}

function canAcceptType(type: Type, other: Type): boolean {
  if (other.which === "either") return other.either.every((one) => canAcceptType(type, one));
  switch (type.which) {
    case "boolean":
    case "number":
      return other.which === type.which;
    case "integer":
      return (
        other.which === "integer" && type.integer.low <= other.integer.low && type.integer.high >= other.integer.high
      );
    case "text":
      return canAcceptText(type.text.maxBytes, other);
    case "choice":
      return other.which === "choice" && new Set(other.choice).isSubsetOf(new Set(type.choice));
    case "list":
      return other.which === "list" && canAcceptType(type.list, other.list);
    case "record":
      return other.which === "record" && canAcceptAll(type.record, other.record);
    case "json":
      return canAcceptJson(type.json, other);
    case "either":
      return type.either.some((one) => canAcceptType(one, other));
  }
}

/**
 * Returns whether a JSON argument with these bounds accepts every value of the other type. If `maxBytes` is 0, JSON may
 * have any length. Numbers and booleans fit into every limit of at least `SHORT` bytes.
 */
function canAcceptJson({ maxBytes, form }: JsonBounds, other: Type): boolean {
  if (other.which === "json") {
    const isSmaller = maxBytes === 0 || (other.json.maxBytes !== 0 && other.json.maxBytes <= maxBytes);
    return isSmaller && (form === "any" || form === other.json.form);
  }
  const isShort = maxBytes === 0 || (maxBytes >= SHORT && ["boolean", "integer", "number"].includes(other.which));
  if (form === "any") return isShort;
  return maxBytes === 0 && other.which === (form === "object" ? "record" : "list");
}

/**
 * Returns whether a text argument of at most `most` bytes accepts every value of the other type. If `most` is 0, the
 * text may have any length.
 */
function canAcceptText(most: number, other: Type): boolean {
  if (other.which === "choice") return most === 0 || other.choice.every((word) => Buffer.byteLength(word) <= most);
  if (other.which !== "text") return false;
  return most === 0 || (other.text.maxBytes !== 0 && other.text.maxBytes <= most);
}
