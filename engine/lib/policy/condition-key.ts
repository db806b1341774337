// Texts by which conditions are compared. These texts do not depend on the order of an object's members.
import type { Condition, Literal, Related, Source } from "../wire/generated/policy.ts";

/** Cache of the texts of conditions. A condition never changes, and its text is compared again and again. */
const TEXTS = new WeakMap<Condition, string>();

/**
 * Returns a text that is the same for equal conditions only. The order of the values of `in` does not change the text.
 */
export function serializeCondition(condition: Condition): string {
  const known = TEXTS.get(condition);
  if (known !== undefined) return known;
  const made = joinParts(condition);
  TEXTS.set(condition, made);
  return made;
}

function joinParts(condition: Condition): string {
  const { path, term, operator, each, extract, absentHolds } = condition;
  const literals = condition.literals.map(serializeLiteral);
  const compared = operator === "in" ? literals.sort() : literals;
  return JSON.stringify([
    path,
    term,
    operator,
    compared,
    each,
    extract,
    absentHolds,
    condition.sources.map(listSource),
  ]);
}

/** Returns a text that is the same for equal sources only. */
export function serializeSource(source: Source): string {
  return JSON.stringify(listSource(source));
}

function serializeLiteral(literal: Literal): string {
  switch (literal.which) {
    case "text":
      return JSON.stringify(["text", literal.text]);
    case "boolean":
      return JSON.stringify(["boolean", literal.boolean]);
    case "decimal":
      return JSON.stringify(["decimal", literal.decimal]);
    case "parameter":
      return JSON.stringify(["parameter", literal.parameter.name, literal.parameter.kind]);
  }
}

function listSource(source: Source): readonly unknown[] {
  switch (source.which) {
    case "person":
    case "pasted":
    case "page":
    case "untrusted":
      return [source.which];
    case "atLeast":
      return [source.which, source.atLeast];
    case "field": {
      const { tool, name, related, isStrong } = source.field;
      return [source.which, tool, name, isStrong, related.map(listRelated)];
    }
  }
}

function listRelated({ name, ofCall, text, sources }: Related): readonly unknown[] {
  return [name, ofCall, text, sources.map(listSource)];
}
