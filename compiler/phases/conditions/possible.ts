// Decides whether some value of a type makes each condition hold or fail as required. The result "impossible" is always
// right, but "possible" may be wrong. So a law may report an impossible line as an error, and a proof may omit it.
import {
  asksForParameters,
  type Decimal,
  evaluateConditions,
  findFixedEnds,
  isUnder,
  isUniversal,
  isWithinDomain,
  MAX_JSON_BYTES,
  parseOrigin,
  parseWildcard,
} from "../../../engine/lib/policy/index.ts";
import type { Condition, Type } from "../../../engine/lib/wire/generated/policy.ts";
import {
  type Amounts,
  type Demands,
  deriveDemands,
  type Named,
  type Natural,
  type SignedCondition,
} from "./demands.ts";
import { createInterval, formatDecimal, hasFraction, hasWholeNumber, isInside } from "./interval.ts";
import { isKnowable, isOpen } from "./knowable.ts";

const NOUGHT: Decimal = { digits: 0n, scale: 0 };

/**
 * Returns whether one value, or the absence of a value, could make each condition hold or fail as required. `false` is
 * certain; `true` may be wrong.
 */
export function canBeAnswered(type: Type, signed: readonly SignedCondition[]): boolean {
  if (signed.every(canBeAnsweredByAbsence)) return true;
  if (signed.some(asksForAbsence)) return false;
  // Conditions on elements are left out, because two of them need not be met by the same element.
  return isPossible(
    type,
    signed.filter(({ condition: { each, term } }) => each === "single" && term !== "has"),
  );
}

/**
 * Returns whether the condition holds or fails as required if the argument is absent. All conditions on an absent
 * argument are unknown, except conditions about its absence.
 */
function canBeAnsweredByAbsence(signed: SignedCondition): boolean {
  return signed.condition.term === "has" ? asksForAbsence(signed) : signed.holds && signed.condition.absentHolds;
}

function asksForAbsence({ condition, holds }: SignedCondition): boolean {
  return condition.term === "has" && evaluateAbsent(condition) === (holds ? "holds" : "fails");
}

function evaluateAbsent(condition: Condition): ReturnType<typeof evaluateConditions> {
  return evaluateConditions([condition], {});
}

function isPossible(type: Type, signed: readonly SignedCondition[]): boolean {
  if (!signed.every(({ condition }) => isKnowable(type, condition)) || !agreesOnParameters(signed)) return false;
  if (isOpen(type)) return true;
  // A condition on the source of a value, or on a parameter that a person chooses, does not limit the value itself.
  const asking = signed.filter(({ condition }) => condition.operator !== "from" && !asksForParameters(condition));
  const demands = deriveDemands(asking, getNaturalBounds(type));
  return (
    hasPossibleWord(type, demands) &&
    hasPossibleAmount(demands.numbers, type.which === "integer" ? "whole" : "any") &&
    hasPossibleAmount(demands.sizes, "whole") &&
    hasPossibleOrigin(demands) &&
    hasPossibleFolder(demands) &&
    hasPossibleDomain(demands) &&
    demands.counts.every((counts) => hasPossibleAmount(counts, "whole")) &&
    hasPossibleTime(type, asking, demands) &&
    !demands.wholes.some(refusesEveryText) &&
    hasPossibleEnds(demands)
  );
}

/** Relations of two values that each operator allows, as bits: 1 for less, 2 for equal, 4 for greater. */
const ORDERS: Readonly<Partial<Record<Condition["operator"], number>>> = {
  less: 1,
  equal: 2,
  lessOrEqual: 3,
  greater: 4,
  notEqual: 5,
  greaterOrEqual: 6,
};
const ANY_ORDER = 7;

/**
 * Returns whether all comparisons of a value with the same parameter are compatible, whatever value a person chooses
 * for the parameter.
 */
function agreesOnParameters(signed: readonly SignedCondition[]): boolean {
  const left = new Map<string, number>();
  for (const { condition, holds } of signed) {
    const [literal, ...others] = condition.literals;
    const orders = ORDERS[condition.operator];
    if (literal?.which !== "parameter" || others.length > 0 || orders === undefined) continue;
    const key = JSON.stringify([condition.path, condition.term, condition.extract, literal.parameter.name]);
    const allowed = (left.get(key) ?? ANY_ORDER) & (holds ? orders : ANY_ORDER ^ orders);
    if (allowed === 0) return false;
    left.set(key, allowed);
  }
  return true;
}

/** Number greater than any duration that a text can state. */
const LONGEST_DURATION = 10n ** 20n;
const DATE_BYTES = 10;

/**
 * Returns whether a text can satisfy the conditions on dates and durations. No text is both a date and a duration; the
 * shortest date has DATE_BYTES bytes.
 */
function hasPossibleTime(type: Type, asking: readonly SignedCondition[], { dates, durations }: Demands): boolean {
  const isAsked = (term: Condition["term"]) => asking.some(({ condition }) => condition.term === term);
  if (isAsked("date") && isAsked("duration")) return false;
  const longest = type.which === "text" && type.text.maxBytes > 0 ? type.text.maxBytes : MAX_JSON_BYTES;
  if (isAsked("date") && longest < DATE_BYTES) return false;
  return hasPossibleAmount(dates, "any") && hasPossibleAmount(durations, "any");
}

/** Cached bounds of types, which never change. */
const NATURAL = new WeakMap<Type, Natural>();

function getNaturalBounds(type: Type): Natural {
  const known = NATURAL.get(type) ?? deriveNaturalBounds(type);
  NATURAL.set(type, known);
  return known;
}

function deriveNaturalBounds(type: Type): Natural {
  const sizes = [
    NOUGHT,
    makeWhole(BigInt(type.which === "text" && type.text.maxBytes > 0 ? type.text.maxBytes : MAX_JSON_BYTES)),
  ] as const;
  const counts = [NOUGHT, makeWhole(BigInt(MAX_JSON_BYTES))] as const;
  const natural = { sizes, counts, durations: [NOUGHT, makeWhole(LONGEST_DURATION)] as const };
  switch (type.which) {
    case "integer":
      return { numbers: [makeWhole(type.integer.low), makeWhole(type.integer.high)], ...natural };
    case "number":
      // Every number in JSON beyond these bounds is an integer, which the JSON reader refuses.
      return {
        numbers: [makeWhole(-BigInt(Number.MAX_SAFE_INTEGER)), makeWhole(BigInt(Number.MAX_SAFE_INTEGER))],
        ...natural,
      };
    case "boolean":
    case "text":
    case "choice":
    case "list":
    case "record":
    case "json":
    case "either":
      return { numbers: undefined, ...natural };
  }
}

function makeWhole(digits: bigint): Decimal {
  return { digits, scale: 0 };
}

function hasPossibleWord(type: Type, { words, sizes, wholes }: Demands): boolean {
  const start = enumerateWords(type, words, sizes);
  if (start === undefined) return true;
  return start.some(
    (word) =>
      (words.allowed === undefined || words.allowed.has(word)) &&
      !words.refused.has(word) &&
      (type.which === "boolean" || wholes.every((signed) => isAnsweredBy(word, signed))) &&
      (type.which === "boolean" || isAmountAllowed(sizes, makeWhole(BigInt(Buffer.byteLength(word))))),
  );
}

function isAnsweredBy(word: string, { condition, holds }: SignedCondition): boolean {
  const alone = { ...condition, path: [ALONE] };
  return evaluateConditions([alone], { [ALONE]: word }) === (holds ? "holds" : "fails");
}

const ALONE = "it";

/**
 * Returns all texts, or `true` and `false`, that the value may be; `undefined` if they cannot be enumerated. If only
 * the size 0 is possible, the empty text is the only one.
 */
function enumerateWords(type: Type, { allowed }: Named<string>, sizes: Amounts): readonly string[] | undefined {
  if (type.which === "choice") return type.choice;
  if (type.which === "boolean") return ["true", "false"];
  if (allowed !== undefined) return [...allowed.keys()];
  return type.which === "text" && !hasPossibleAmount(excludeZero(sizes), "whole") ? [""] : undefined;
}

function excludeZero({ points, interval }: Amounts): Amounts {
  return { ...(points && { points }), interval: { ...interval, holes: new Set([...interval.holes, "0"]) } };
}

function isAmountAllowed({ points, interval }: Amounts, value: Decimal): boolean {
  return isInside(value, interval) && (points === undefined || points.has(formatDecimal(value)));
}

function hasPossibleAmount({ points, interval }: Amounts, numbers: "whole" | "any"): boolean {
  const isFitting = (value: Decimal) => isInside(value, interval) && (numbers === "any" || isWhole(value));
  if (points !== undefined) return [...points.values()].some(isFitting);
  return numbers === "whole" ? hasWholeNumber(interval) : hasFraction(interval);
}

function isWhole(value: Decimal): boolean {
  return value.scale === 0 || !formatDecimal(value).includes(".");
}

/**
 * Returns whether an origin can satisfy the conditions. If no origin is required, there always is an origin other than
 * the excluded ones.
 */
function hasPossibleOrigin({ origins: { allowed, refused }, wholes }: Demands): boolean {
  if (allowed === undefined) return true;
  const ofDomain = wholes.filter(({ condition }) => condition.term === "domain");
  return [...allowed.keys()].some(
    (word) =>
      !refused.has(word) && parseOrigin(word) === word && ofDomain.every((signed) => isAnsweredBy(word, signed)),
  );
}

/**
 * Returns whether a path can satisfy the conditions on folders. Two folders have a file in common only if one contains
 * the other. The shortest path in the innermost folder is the path of the folder itself.
 */
function hasPossibleFolder({ inside, outside, sizes }: Demands): boolean {
  // Without conditions on folders, only the size of the path matters, which was already checked.
  if (inside.length === 0 && outside.length === 0) return true;
  const deepest = inside.reduce((most, folder) => (folder.length > most.length ? folder : most), []);
  // If every folder is a prefix of the deepest one, all folders are nested.
  if (!inside.every((folder) => isUnder(deepest, folder)) || outside.some((folder) => isUnder(deepest, folder))) {
    return false;
  }
  const shortest = { value: makeWhole(BigInt(Buffer.byteLength(deepest.join("/")))), open: false };
  const low = createInterval([shortest, ...(sizes.interval.low ? [sizes.interval.low] : [])], [], []).low;
  return hasPossibleAmount({ ...sizes, interval: { ...sizes.interval, ...(low && { low }) } }, "whole");
}

/**
 * Returns whether a domain can satisfy the conditions. Two domains are nested or disjoint, and each contains infinitely
 * many others.
 */
function hasPossibleDomain({ domains, within, beyond }: Demands): boolean {
  const isFitting = (domain: string) =>
    within.every((root) => isWithinDomain(domain, root)) && !beyond.some((root) => isWithinDomain(domain, root));
  if (domains.allowed !== undefined)
    return [...domains.allowed.keys()].some((domain) => !domains.refused.has(domain) && isFitting(domain));
  const deepest = within.reduce((most, domain) => (domain.length > most.length ? domain : most), "");
  return deepest === "" || isFitting(deepest);
}

/**
 * Returns whether one text can have all required beginnings and ends. The longest beginning must start with all other
 * required beginnings, and the longest end must end with all other required ends.
 */
function hasPossibleEnds({ wholes, sizes }: Demands): boolean {
  if (wholes.length === 0) return true;
  const isStarting = (text: string, part: string) => text.startsWith(part);
  const isEnding = (text: string, part: string) => text.endsWith(part);
  const start = findLongest(wholes, "startsWith", isStarting);
  const end = findLongest(wholes, "endsWith", isEnding);
  if (start === undefined || end === undefined) return false;
  const bytes = Buffer.byteLength(joinEnds(start, end));
  const least = { value: makeWhole(BigInt(bytes)), open: false };
  const low = createInterval([least, ...(sizes.interval.low ? [sizes.interval.low] : [])], [], []).low;
  return hasPossibleAmount({ ...sizes, interval: { ...sizes.interval, ...(low && { low }) } }, "whole");
}

/** Returns the shortest text with this start and this end. The start and the end may overlap in it. */
function joinEnds(start: string, end: string): string {
  for (let shared = Math.min(start.length, end.length); shared > 0; shared--)
    if (start.endsWith(end.slice(0, shared))) return start + end.slice(shared);
  return start + end;
}

/** Returns, for each pattern that the text must match, the fixed text with which all its matches start or end. */
function collectFixedEnds(wholes: readonly SignedCondition[], end: "startsWith" | "endsWith"): readonly string[] {
  return wholes
    .filter(({ condition: { operator, literals }, holds }) => operator === "matches" && holds && literals.length === 1)
    .flatMap(({ condition }) => condition.literals.flatMap(readPattern))
    .map((pattern) => findFixedEnds(pattern)[end === "startsWith" ? "start" : "end"]);
}

/**
 * Returns whether the condition excludes every text, because it refuses a pattern of only stars, which matches all
 * texts.
 */
function refusesEveryText({ condition: { operator, literals }, holds }: SignedCondition): boolean {
  return operator === "matches" && !holds && literals.flatMap(readPattern).some(isUniversal);
}

function readPattern(literal: Condition["literals"][number]): readonly NonNullable<ReturnType<typeof parseWildcard>>[] {
  const pattern = literal.which === "text" ? parseWildcard(literal.text) : undefined;
  return pattern === undefined ? [] : [pattern];
}

/**
 * Returns the longest text that is required at one end. Returns `undefined` if the conditions contradict each other:
 * the longest text lacks another required text at this end, or has a refused text there.
 */
function findLongest(
  wholes: readonly SignedCondition[],
  end: "startsWith" | "endsWith",
  isPart: (text: string, part: string) => boolean,
): string | undefined {
  const collectParts = (wanted: "holds" | "fails") =>
    wholes
      .filter(({ condition, holds }) => condition.operator === end && holds === (wanted === "holds"))
      .flatMap(({ condition }) => condition.literals)
      .flatMap((literal) => (literal.which === "text" ? [literal.text] : []));
  const wanted = [...collectParts("holds"), ...collectFixedEnds(wholes, end)];
  const longest = wanted.reduce((most, text) => (text.length > most.length ? text : most), "");
  const isClean = !collectParts("fails").some((part) => isPart(longest, part));
  return isClean && wanted.every((part) => isPart(longest, part)) ? longest : undefined;
}
