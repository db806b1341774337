// Evaluates the conditions of a line of the page, such as a rule, for the arguments of a call. A condition that cannot
// be evaluated is "unknown" and must not count as failed: for a line such as `forbidden X where … else auto`, that
// would give the looser mode.
import type { Condition } from "../wire/generated/policy.ts";
import { compareDecimals, type Decimal, parseDecimal } from "./decimal.ts";
import { isWithinDomain } from "./domain.ts";
import type { Json, JsonRecord } from "./json-reader.ts";
import { isUnder, parsePathSegments } from "./place.ts";
import type { Sources } from "./sources.ts";
import { type ChosenValues, type ComparedLiteral, resolveLiteral } from "./task-parameters.ts";
import { resolveTerm, type TermValue } from "./term.ts";
import { isMatching, parseWildcard, type Wildcard } from "./wildcard.ts";

/**
 * `holdsWeakly` means that the condition holds only because of words that an outsider may have chosen. Such words never
 * lower a gate to `auto`.
 */
export type Truth = "holds" | "holdsWeakly" | "fails" | "unknown";

/**
 * Data that conditions need besides the arguments: the sources of the conversation, and the values of the task's
 * parameters. If one of them is absent, conditions on it are unknown.
 */
export interface Known {
  readonly sources?: Sources | undefined;
  readonly parameters?: ChosenValues | undefined;
}

const NOTHING_KNOWN: Known = {};

/**
 * Returns the truth of all conditions together. The result is unknown if one condition is unknown, even if another
 * condition fails, so that their order has no effect.
 */
export function evaluateConditions(
  conditions: readonly Condition[],
  args: JsonRecord,
  known: Known = NOTHING_KNOWN,
): Truth {
  let all: Truth = "holds";
  for (const condition of conditions) {
    const one = evaluateCondition(condition, args, known);
    if (one === "unknown") return "unknown";
    if (one === "fails" || all === "holds") all = one;
  }
  return all;
}

function evaluateCondition(condition: Condition, args: JsonRecord, known: Known): Truth {
  const values = resolveTerm(condition, args);
  if ("single" in values) return evaluateValue(condition, values.single, known);
  return evaluateEach(condition, values.each, known);
}

/**
 * Evaluates a condition for each element. Without elements `every` holds and `some` fails. If one element is unknown,
 * the result is unknown.
 */
function evaluateEach(condition: Condition, values: readonly TermValue[], known: Known): Truth {
  let all: Truth = "holds";
  let any: Truth = "fails";
  for (const value of values) {
    const one = evaluateValue(condition, value, known);
    if (one === "unknown") return "unknown";
    if (one === "fails" || all === "holds") all = one;
    if (one === "holds" || any === "fails") any = one;
  }
  return condition.each === "some" ? any : all;
}

function evaluateValue(condition: Condition, value: TermValue, known: Known): Truth {
  const { literals, operator, term, absentHolds } = condition;
  if (value === null && absentHolds) return "holds";
  if (operator === "from") return evaluateSources(condition, value, known.sources);
  if (value === undefined || value === null || literals.length === 0) return "unknown";
  let one: Truth = "fails";
  for (const literal of literals) {
    const compared = resolveLiteral(literal, known.parameters);
    const answer = compared && compare(operator, term, value, compared);
    if (answer === undefined) return "unknown";
    if (answer) one = "holds";
  }
  return one;
}

const TRUTHS = { strong: "holds", weak: "holdsWeakly", none: "fails", unknown: "unknown" } as const;

/**
 * Evaluates a condition on sources. It is unknown for a value that is neither a text nor a number, and if the sources
 * of the conversation are not known.
 */
function evaluateSources({ sources: asked }: Condition, term: TermValue, sources: Sources | undefined): Truth {
  if (sources === undefined || (typeof term !== "string" && typeof term !== "number")) return "unknown";
  return TRUTHS[sources.judge(term, asked)];
}

/** Returns whether the comparison holds, or `undefined` if the two values cannot be compared. */
function compare(
  operator: Condition["operator"],
  term: Condition["term"],
  value: Json,
  literal: ComparedLiteral,
): boolean | undefined {
  switch (operator) {
    case "equal":
    case "in":
      return isEqual(value, literal);
    case "notEqual":
      return negateTruth(isEqual(value, literal));
    case "under":
      return term === "domain" ? isWithinLiteral(value, literal) : isUnderLiteral(value, literal);
    case "startsWith":
      return compareTexts(value, literal, (text, part) => text.startsWith(part));
    case "endsWith":
      return compareTexts(value, literal, (text, part) => text.endsWith(part));
    case "matches":
      return matchesLiteral(value, literal);
    case "less":
      return compareOrder(value, literal, (order) => order < 0);
    case "lessOrEqual":
      return compareOrder(value, literal, (order) => order <= 0);
    case "greater":
      return compareOrder(value, literal, (order) => order > 0);
    case "greaterOrEqual":
      return compareOrder(value, literal, (order) => order >= 0);
    case "from":
      return undefined;
  }
}

function isEqual(term: Json, literal: ComparedLiteral): boolean | undefined {
  switch (literal.which) {
    case "text":
      return typeof term === "string" ? term === literal.text : undefined;
    case "boolean":
      return typeof term === "boolean" ? term === literal.boolean : undefined;
    case "decimal":
      return compareOrder(term, literal, (order) => order === 0);
  }
}

function compareTexts(
  value: Json,
  literal: ComparedLiteral,
  accepts: (text: string, part: string) => boolean,
): boolean | undefined {
  return typeof value === "string" && literal.which === "text" ? accepts(value, literal.text) : undefined;
}

function isWithinLiteral(value: Json, literal: ComparedLiteral): boolean | undefined {
  return compareTexts(value, literal, isWithinDomain);
}

function isUnderLiteral(term: Json, literal: ComparedLiteral): boolean | undefined {
  const directory = getLiteralFolders(literal);
  const segments = typeof term === "string" ? parsePathSegments(term) : undefined;
  return directory && segments ? isUnder(segments, directory) : undefined;
}

/** Cache of the parsed patterns of literals. A literal never changes, and every call may need its pattern. */
const WILDCARDS = new WeakMap<ComparedLiteral, Wildcard | null>();

function matchesLiteral(value: Json, literal: ComparedLiteral): boolean | undefined {
  if (typeof value !== "string" || literal.which !== "text") return undefined;
  const known = WILDCARDS.get(literal);
  const wildcard = known === undefined ? (parseWildcard(literal.text) ?? null) : known;
  if (known === undefined) WILDCARDS.set(literal, wildcard);
  return wildcard === null ? undefined : isMatching(value, wildcard);
}

/** Cache of the parsed folders of literals. A literal never changes, and every call may need its folders. */
const FOLDERS = new WeakMap<ComparedLiteral, readonly string[] | null>();

function getLiteralFolders(literal: ComparedLiteral): readonly string[] | undefined {
  const known = FOLDERS.get(literal);
  if (known !== undefined) return known ?? undefined;
  const segments = literal.which === "text" ? parsePathSegments(literal.text) : undefined;
  FOLDERS.set(literal, segments ?? null);
  return segments;
}

function compareOrder(term: Json, literal: ComparedLiteral, accepts: (order: number) => boolean): boolean | undefined {
  const right = literal.which === "decimal" ? parseDecimal(literal.decimal) : undefined;
  const left = parseTermDecimal(term);
  return left && right ? accepts(compareDecimals(left, right)) : undefined;
}

/**
 * Returns the value of a term as a decimal; the value is a number, or a text for money and large integers. Returns
 * `undefined` for a number in exponent form, which is not an exact decimal.
 */
function parseTermDecimal(term: Json): Decimal | undefined {
  if (typeof term === "number") return parseDecimal(String(term));
  return typeof term === "string" ? parseDecimal(term) : undefined;
}

function negateTruth(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer;
}
