// Evaluates the `where` of a line. Three answers, not two: what cannot be evaluated must not count as "does not hold",
// for on a line such as `forbidden X where … else auto` that would be the loose side.
import type { Condition, Literal } from "../wire/generated/policy.ts";
import { isRecord } from "./canonical-json.ts";
import { compareDecimals, type Decimal, decimalFrom } from "./decimal.ts";
import type { Json, JsonRecord } from "./json-reader.ts";
import { isUnder, originOf, pathSegments } from "./place.ts";

export type Truth = "holds" | "fails" | "unknown";

/** True of all; unknown where one cannot be evaluated, even beside one that fails: the order of lines has no meaning. */
export function truthOfAll(conditions: readonly Condition[], args: JsonRecord): Truth {
  const truths = conditions.map((condition) => truth(condition, args));
  if (truths.includes("unknown")) return "unknown";
  return truths.includes("fails") ? "fails" : "holds";
}

function truth(condition: Condition, args: JsonRecord): Truth {
  const term = termOf(condition, args);
  if (term === undefined) return "unknown";
  const answers = condition.literals.map((literal) => compare(condition.operator, term, literal));
  if (answers.length === 0 || answers.includes(undefined)) return "unknown";
  return answers.includes(true) ? "holds" : "fails";
}

function termOf(condition: Condition, args: JsonRecord): Json | undefined {
  const value = condition.path.reduce<Json | undefined>(
    (from, name) => (from !== undefined && isRecord(from) ? from[name] : undefined),
    args,
  );
  switch (condition.term) {
    case "value":
      return value;
    case "size":
      return typeof value === "string" ? Buffer.byteLength(value) : undefined;
    case "origin":
      return typeof value === "string" ? originOf(value) : undefined;
  }
}

/** Nothing where the two cannot be compared. */
function compare(operator: Condition["operator"], term: Json, literal: Literal): boolean | undefined {
  switch (operator) {
    case "equal":
    case "in":
      return isEqual(term, literal);
    case "notEqual":
      return negated(isEqual(term, literal));
    case "under":
      return isUnderLiteral(term, literal);
    case "less":
      return ordered(term, literal, (order) => order < 0);
    case "lessOrEqual":
      return ordered(term, literal, (order) => order <= 0);
    case "greater":
      return ordered(term, literal, (order) => order > 0);
    case "greaterOrEqual":
      return ordered(term, literal, (order) => order >= 0);
  }
}

function isEqual(term: Json, literal: Literal): boolean | undefined {
  switch (literal.which) {
    case "text":
      return typeof term === "string" ? term === literal.text : undefined;
    case "boolean":
      return typeof term === "boolean" ? term === literal.boolean : undefined;
    case "decimal":
      return ordered(term, literal, (order) => order === 0);
  }
}

function isUnderLiteral(term: Json, literal: Literal): boolean | undefined {
  const directory = literal.which === "text" ? pathSegments(literal.text) : undefined;
  const segments = typeof term === "string" ? pathSegments(term) : undefined;
  return directory && segments ? isUnder(segments, directory) : undefined;
}

function ordered(term: Json, literal: Literal, accepts: (order: number) => boolean): boolean | undefined {
  const right = literal.which === "decimal" ? decimalFrom(literal.decimal) : undefined;
  const left = decimalOf(term);
  return left && right ? accepts(compareDecimals(left, right)) : undefined;
}

/** Money and large integers are decimal texts. A number in exponent form is no exact decimal, hence none here. */
function decimalOf(term: Json): Decimal | undefined {
  if (typeof term === "number") return decimalFrom(String(term));
  return typeof term === "string" ? decimalFrom(term) : undefined;
}

function negated(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer;
}
