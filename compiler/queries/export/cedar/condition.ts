// Translates a condition of a line to two expressions of Cedar. If neither is true, the result is unknown, and the line
// gets its strictest mode, as on the page. So a condition that Cedar cannot express makes the export stricter, never
// looser.

import {
  type Decimal,
  listFixedRuns,
  parseDecimal,
  parseOrigin,
  parsePathSegments,
  parseWildcard,
} from "../../../../engine/lib/policy/index.ts";
import type { Condition, Literal, Param, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import {
  ALWAYS,
  joinAnd,
  joinOr,
  NEVER,
  negate,
  quoteText,
  renderAccess,
  renderAttribute,
  renderLikePattern,
} from "./expressions.ts";
import { convertToCedarType } from "./schema.ts";

export interface CedarCondition {
  /** Expression that is true only if the condition holds. */
  readonly holds: string;
  /** Expression that is true only if the condition fails. */
  readonly fails: string;
  /**
   * `all`: one of `holds` and `fails` is true whenever the page can evaluate the condition. `some`: for some values
   * that the page can evaluate, such as unusual paths, neither is true. `none`: both are always false.
   */
  readonly fit: "all" | "some" | "none";
}

const UNKNOWN: CedarCondition = { holds: NEVER, fails: NEVER, fit: "none" };

export function translateCondition(condition: Condition, params: readonly Param[]): CedarCondition {
  const argument = findArgument(params, condition.path);
  if (argument === undefined || condition.literals.length === 0) return UNKNOWN;
  if (condition.term === "has") return translatePresence(condition, argument);
  const known = translateGiven(condition, argument);
  if (known.fit === "none") return UNKNOWN;
  const holds = joinAnd([argument.isThere, known.holds]);
  return {
    holds: condition.absentHolds ? joinOr([negate(argument.isThere), holds]) : holds,
    fails: joinAnd([argument.isThere, known.fails]),
    fit: known.fit,
  };
}

/**
 * Translates a condition on presence. Cedar has no null, and the gate accepts no argument that is null, so an argument
 * is present if the request has its name.
 */
function translatePresence({ literals }: Condition, { isThere }: Argument): CedarCondition {
  const [literal] = literals;
  if (literal?.which !== "boolean") return UNKNOWN;
  const presence = makeExact(isThere);
  return literal.boolean ? presence : { ...presence, holds: presence.fails, fails: presence.holds };
}

/**
 * Translates a condition on an argument that is present. Conditions on list items and on sizes become unknown, because
 * Cedar cannot iterate over a list and cannot count.
 */
function translateGiven(condition: Condition, argument: Argument): CedarCondition {
  if (condition.each !== "single" || condition.extract !== "none") return UNKNOWN;
  const each = condition.literals.map((literal) => translateComparison(condition, argument, literal));
  if (each.some(({ fit }) => fit === "none")) return UNKNOWN;
  return {
    holds: joinOr(each.map(({ holds }) => holds)),
    fails: joinAnd(each.map(({ fails }) => fails)),
    fit: each.some(({ fit }) => fit === "some") ? "some" : "all",
  };
}

interface Argument {
  readonly words: string;
  readonly isThere: string;
  readonly type: Type;
}

function findArgument(params: readonly Param[], path: readonly string[]): Argument | undefined {
  let record = "context.arguments";
  let fields = params;
  let found: Argument | undefined;
  const there: string[] = [];
  for (const [step, name] of path.entries()) {
    const param = fields.find((one) => one.name === name);
    if (param === undefined || convertToCedarType(param.type) === undefined) return undefined;
    if (!param.required) there.push(`${record} has ${renderAttribute(name)}`);
    record = renderAccess(record, name);
    found = { words: record, isThere: joinAnd(there), type: param.type };
    if (step < path.length - 1 && param.type.which !== "record") return undefined;
    fields = param.type.which === "record" ? param.type.record : [];
  }
  return found;
}

function translateComparison({ term, operator }: Compared, argument: Argument, literal: Literal): CedarCondition {
  const { words, type } = argument;
  if (term !== "value" && term !== "origin") return UNKNOWN;
  if (operator === "notEqual") {
    const { holds, fails, fit } = translateComparison({ term, operator: "equal" }, argument, literal);
    return { holds: fails, fails: holds, fit };
  }
  const isText = type.which === "text" || type.which === "choice";
  if (term === "origin")
    return isText && literal.which === "text" ? translateOrigin(operator, words, literal.text) : UNKNOWN;
  if (operator === "under") return isText && literal.which === "text" ? translateUnder(words, literal.text) : UNKNOWN;
  if (operator === "startsWith" || operator === "endsWith") {
    if (type.which !== "text" || literal.which !== "text") return UNKNOWN;
    const parts = operator === "startsWith" ? [literal.text, ""] : ["", literal.text];
    return makeExact(`${words} like ${renderLikePattern(...parts)}`);
  }
  if (operator === "matches") {
    const pattern = literal.which === "text" ? parseWildcard(literal.text) : undefined;
    const runs = type.which === "text" && pattern !== undefined ? listFixedRuns(pattern) : undefined;
    return runs === undefined ? UNKNOWN : makeExact(`${words} like ${renderLikePattern(...runs)}`);
  }
  if (type.which === "integer" && literal.which === "decimal")
    return translateInteger(operator, words, parseDecimal(literal.decimal));
  if (operator !== "equal" && operator !== "in") return UNKNOWN;
  if (isText && literal.which === "text") return makeExact(`${words} == ${quoteText(literal.text)}`);
  if (type.which === "boolean" && literal.which === "boolean") return makeExact(`${words} == ${literal.boolean}`);
  return UNKNOWN;
}

/** The part of a condition that defines how a value is compared. */
type Compared = Pick<Condition, "term" | "operator">;

function makeExact(holds: string): CedarCondition {
  return { holds, fails: negate(holds), fit: "all" };
}

const LEAST = -(1n << 63n);
const MOST = (1n << 63n) - 1n;

/**
 * Translates a comparison of an integer argument. A fraction in the condition is replaced by the whole number below it,
 * and the comparison is adapted.
 */
function translateInteger(
  operator: Condition["operator"],
  words: string,
  literal: Decimal | undefined,
): CedarCondition {
  if (literal === undefined) return UNKNOWN;
  const divisor = 10n ** BigInt(literal.scale);
  const rest = ((literal.digits % divisor) + divisor) % divisor;
  const floor = (literal.digits - rest) / divisor;
  if (floor < LEAST || floor > MOST) return UNKNOWN;
  const isWhole = rest === 0n;
  switch (operator) {
    case "equal":
    case "in":
      return isWhole ? makeExact(`${words} == ${floor}`) : { holds: NEVER, fails: ALWAYS, fit: "all" };
    case "less":
      return makeExact(`${words} ${isWhole ? "<" : "<="} ${floor}`);
    case "lessOrEqual":
      return makeExact(`${words} <= ${floor}`);
    case "greater":
      return makeExact(`${words} > ${floor}`);
    case "greaterOrEqual":
      return makeExact(`${words} ${isWhole ? ">=" : ">"} ${floor}`);
    case "notEqual":
    case "under":
    case "from":
    case "startsWith":
    case "endsWith":
    case "matches":
      return UNKNOWN;
  }
}

/**
 * Translates `under`. Cedar cannot split a path into its parts, so the expressions compare the beginning of the path with the folder. The
 * result is unknown for some paths, such as a path that contains `..`.
 */
function translateUnder(words: string, folder: string): CedarCondition {
  const segments = parsePathSegments(folder);
  if (segments === undefined) return UNKNOWN;
  const renderLike = (...parts: readonly string[]) => `${words} like ${renderLikePattern(...parts)}`;
  const climbs = joinOr([renderLike("", "..", ""), renderLike("", "\0", "")]);
  if (segments.length === 0) return { holds: negate(climbs), fails: NEVER, fit: "some" };
  const path = segments.join("/");
  const inside = joinOr([
    `${words} == ${quoteText(path)}`,
    `${words} == ${quoteText(`/${path}`)}`,
    renderLike(`${path}/`, ""),
    renderLike(`/${path}/`, ""),
  ]);
  const odd = joinOr([climbs, renderLike("", "//", ""), renderLike("", "/./", ""), renderLike("./", "")]);
  return { holds: joinAnd([inside, negate(climbs)]), fails: joinAnd([negate(inside), negate(odd)]), fit: "some" };
}

/**
 * Translates a condition on the origin of a URL. If the URL begins with the origin, the condition holds. Otherwise the
 * result is unknown, because the same origin can be written in other ways and Cedar cannot parse URLs.
 */
function translateOrigin(operator: Condition["operator"], words: string, origin: string): CedarCondition {
  if ((operator !== "equal" && operator !== "in") || parseOrigin(origin) !== origin) return UNKNOWN;
  const begins = ["/", "?", "#"].map((end) => `${words} like ${renderLikePattern(`${origin}${end}`, "")}`);
  return { holds: joinOr([`${words} == ${quoteText(origin)}`, ...begins]), fails: NEVER, fit: "some" };
}
