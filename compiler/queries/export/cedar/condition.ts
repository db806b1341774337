// A condition of a line in Cedar's words. Two expressions and not one: where neither is true nothing is known, and the line
// takes its strictest mode, as it does on the page. So what cannot be spelled makes the export stricter, and never looser.

import { type Decimal, decimalFrom, originOf, pathSegments } from "../../../../engine/lib/policy/index.ts";
import type { Condition, Literal, Param, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { cedarType } from "./schema.ts";
import { ALWAYS, all, any, attribute, NEVER, not, pattern, quoted, within } from "./words.ts";

export interface Spelled {
  /** True only where the condition holds. */
  readonly holds: string;
  /** True only where it does not. */
  readonly fails: string;
  /** all: one of the two is true wherever the page knows; some: where texts are plain; none: nowhere. */
  readonly fit: "all" | "some" | "none";
}

const UNKNOWN: Spelled = { holds: NEVER, fails: NEVER, fit: "none" };

export function spelled(condition: Condition, params: readonly Param[]): Spelled {
  const argument = argumentAt(params, condition.path);
  if (argument === undefined || condition.literals.length === 0) return UNKNOWN;
  const each = condition.literals.map((literal) => compared(condition, argument, literal));
  if (each.some(({ fit }) => fit === "none")) return UNKNOWN;
  return {
    holds: all([argument.isThere, any(each.map(({ holds }) => holds))]),
    fails: all([argument.isThere, ...each.map(({ fails }) => fails)]),
    fit: each.some(({ fit }) => fit === "some") ? "some" : "all",
  };
}

interface Argument {
  readonly words: string;
  readonly isThere: string;
  readonly type: Type;
}

function argumentAt(params: readonly Param[], path: readonly string[]): Argument | undefined {
  let record = "context.arguments";
  let fields = params;
  let found: Argument | undefined;
  const there: string[] = [];
  for (const [step, name] of path.entries()) {
    const param = fields.find((one) => one.name === name);
    if (param === undefined || cedarType(param.type) === undefined) return undefined;
    if (!param.required) there.push(`${record} has ${attribute(name)}`);
    record = within(record, name);
    found = { words: record, isThere: all(there), type: param.type };
    if (step < path.length - 1 && param.type.which !== "record") return undefined;
    fields = param.type.which === "record" ? param.type.record : [];
  }
  return found;
}

function compared({ term, operator }: Condition, argument: Argument, literal: Literal): Spelled {
  const { words, type } = argument;
  if (term === "size") return UNKNOWN;
  if (operator === "notEqual") {
    const { holds, fails, fit } = compared({ path: [], term, operator: "equal", literals: [] }, argument, literal);
    return { holds: fails, fails: holds, fit };
  }
  const isText = type.which === "text" || type.which === "choice";
  if (term === "origin") return isText && literal.which === "text" ? ofOrigin(operator, words, literal.text) : UNKNOWN;
  if (operator === "under") return isText && literal.which === "text" ? underFolder(words, literal.text) : UNKNOWN;
  if (type.which === "integer" && literal.which === "decimal")
    return ofInteger(operator, words, decimalFrom(literal.decimal));
  if (operator !== "equal" && operator !== "in") return UNKNOWN;
  if (isText && literal.which === "text") return exactly(`${words} == ${quoted(literal.text)}`);
  if (type.which === "boolean" && literal.which === "boolean") return exactly(`${words} == ${literal.boolean}`);
  return UNKNOWN;
}

function exactly(holds: string): Spelled {
  return { holds, fails: not(holds), fit: "all" };
}

const LEAST = -(1n << 63n);
const MOST = (1n << 63n) - 1n;

/** Against a fraction an integer is compared with the whole number below it. */
function ofInteger(operator: Condition["operator"], words: string, literal: Decimal | undefined): Spelled {
  if (literal === undefined) return UNKNOWN;
  const divisor = 10n ** BigInt(literal.scale);
  const rest = ((literal.digits % divisor) + divisor) % divisor;
  const floor = (literal.digits - rest) / divisor;
  if (floor < LEAST || floor > MOST) return UNKNOWN;
  const isWhole = rest === 0n;
  switch (operator) {
    case "equal":
    case "in":
      return isWhole ? exactly(`${words} == ${floor}`) : { holds: NEVER, fails: ALWAYS, fit: "all" };
    case "less":
      return exactly(`${words} ${isWhole ? "<" : "<="} ${floor}`);
    case "lessOrEqual":
      return exactly(`${words} <= ${floor}`);
    case "greater":
      return exactly(`${words} > ${floor}`);
    case "greaterOrEqual":
      return exactly(`${words} ${isWhole ? ">=" : ">"} ${floor}`);
    case "notEqual":
    case "under":
      return UNKNOWN;
  }
}

/** Cedar takes no text apart. What begins with the folder and climbs nowhere is in it; what is not plain may be anywhere. */
function underFolder(words: string, folder: string): Spelled {
  const segments = pathSegments(folder);
  if (segments === undefined) return UNKNOWN;
  const like = (...parts: readonly string[]) => `${words} like ${pattern(...parts)}`;
  const climbs = any([like("", "..", ""), like("", "\0", "")]);
  if (segments.length === 0) return { holds: not(climbs), fails: NEVER, fit: "some" };
  const path = segments.join("/");
  const inside = any([
    `${words} == ${quoted(path)}`,
    `${words} == ${quoted(`/${path}`)}`,
    like(`${path}/`, ""),
    like(`/${path}/`, ""),
  ]);
  const odd = any([climbs, like("", "//", ""), like("", "/./", ""), like("./", "")]);
  return { holds: all([inside, not(climbs)]), fails: all([not(inside), not(odd)]), fit: "some" };
}

/** That a URL has this origin shows at its beginning; that it has another one would need a parser of URLs. */
function ofOrigin(operator: Condition["operator"], words: string, origin: string): Spelled {
  if ((operator !== "equal" && operator !== "in") || originOf(origin) !== origin) return UNKNOWN;
  const begins = ["/", "?", "#"].map((end) => `${words} like ${pattern(`${origin}${end}`, "")}`);
  return { holds: any([`${words} == ${quoted(origin)}`, ...begins]), fails: NEVER, fit: "some" };
}
