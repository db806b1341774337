// Whether some value of a type gives wanted answers to conditions about it. It errs to one side only: what it calls
// impossible is impossible for certain, so that a law may call it dead and a proof may leave it out.
import {
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

/** Whether one value, or none, could give each condition the answer that is wanted of it. `false` is certain. */
export function canBeAnswered(type: Type, signed: readonly SignedCondition[]): boolean {
  if (signed.every(canBeAnsweredByAbsence)) return true;
  if (signed.some(asksForAbsence)) return false;
  // Elements are looked at one by one, and no two conditions need to be met by the same one.
  return isPossible(
    type,
    signed.filter(({ condition: { each, term } }) => each === "single" && term !== "has"),
  );
}

/** An absent argument leaves conditions unknown but for those that speak of its absence. */
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
  if (!signed.every(({ condition }) => isKnowable(type, condition))) return false;
  if (isOpen(type)) return true;
  // The source of a value does not determine the value.
  const asking = signed.filter(({ condition }) => condition.operator !== "from");
  const demands = deriveDemands(asking, deriveNaturalBounds(type));
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

/** Number greater than any duration that a text can state. */
const LONGEST_DURATION = 10n ** 20n;
const DATE_BYTES = 10;

/** No text is a date and a duration, and the shortest date has its bytes. */
function hasPossibleTime(type: Type, asking: readonly SignedCondition[], { dates, durations }: Demands): boolean {
  const isAsked = (term: Condition["term"]) => asking.some(({ condition }) => condition.term === term);
  if (isAsked("date") && isAsked("duration")) return false;
  const longest = type.which === "text" && type.text.maxBytes > 0 ? type.text.maxBytes : MAX_JSON_BYTES;
  if (isAsked("date") && longest < DATE_BYTES) return false;
  return hasPossibleAmount(dates, "any") && hasPossibleAmount(durations, "any");
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
      // Every larger one is a whole number, and the reader refuses those.
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

/** Returns all possible words, or `undefined` if they cannot be enumerated. There is only one text of zero bytes. */
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
  return !formatDecimal(value).includes(".");
}

/** Other origins than those that are named there are always. */
function hasPossibleOrigin({ origins: { allowed, refused }, wholes }: Demands): boolean {
  if (allowed === undefined) return true;
  const ofDomain = wholes.filter(({ condition }) => condition.term === "domain");
  return [...allowed.keys()].some(
    (word) =>
      !refused.has(word) && parseOrigin(word) === word && ofDomain.every((signed) => isAnsweredBy(word, signed)),
  );
}

/** Two folders share a file only where one holds the other; the shortest path into the deepest is its own name. */
function hasPossibleFolder({ inside, outside, sizes }: Demands): boolean {
  const deepest = inside.reduce((most, folder) => (folder.length > most.length ? folder : most), []);
  // If all are prefixes of the deepest one, each is a prefix of every deeper one.
  if (!inside.every((folder) => isUnder(deepest, folder)) || outside.some((folder) => isUnder(deepest, folder))) {
    return false;
  }
  const shortest = { value: makeWhole(BigInt(Buffer.byteLength(deepest.join("/")))), open: false };
  const low = createInterval([shortest, ...(sizes.interval.low ? [sizes.interval.low] : [])], [], []).low;
  return hasPossibleAmount({ ...sizes, interval: { ...sizes.interval, ...(low && { low }) } }, "whole");
}

/** Domains lie below each other or apart; below each there are others without end. */
function hasPossibleDomain({ domains, within, beyond }: Demands): boolean {
  const isFitting = (domain: string) =>
    within.every((root) => isWithinDomain(domain, root)) && !beyond.some((root) => isWithinDomain(domain, root));
  if (domains.allowed !== undefined)
    return [...domains.allowed.keys()].some((domain) => !domains.refused.has(domain) && isFitting(domain));
  const deepest = within.reduce((most, domain) => (domain.length > most.length ? domain : most), "");
  return deepest === "" || isFitting(deepest);
}

/** Returns whether the required beginnings are compatible, because the longest begins with each of them, and the ends likewise. */
function hasPossibleEnds({ wholes, sizes }: Demands): boolean {
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

/** Returns the shortest text that starts with one text and ends with another: they may overlap. */
function joinEnds(start: string, end: string): string {
  for (let shared = Math.min(start.length, end.length); shared > 0; shared--)
    if (start.endsWith(end.slice(0, shared))) return start + end.slice(shared);
  return start + end;
}

/** Returns the texts that every match of a wanted pattern starts with or ends with. */
function collectFixedEnds(wholes: readonly SignedCondition[], end: "startsWith" | "endsWith"): readonly string[] {
  return wholes
    .filter(({ condition: { operator, literals }, holds }) => operator === "matches" && holds && literals.length === 1)
    .flatMap(({ condition }) => condition.literals.flatMap(readPattern))
    .map((pattern) => findFixedEnds(pattern)[end === "startsWith" ? "start" : "end"]);
}

/** A pattern of stars alone fails for no text. */
function refusesEveryText({ condition: { operator, literals }, holds }: SignedCondition): boolean {
  return operator === "matches" && !holds && literals.flatMap(readPattern).some(isUniversal);
}

function readPattern(literal: Condition["literals"][number]): readonly NonNullable<ReturnType<typeof parseWildcard>>[] {
  const pattern = literal.which === "text" ? parseWildcard(literal.text) : undefined;
  return pattern === undefined ? [] : [pattern];
}

/** Returns the longest text required at one end, or `undefined` if another one is not a part of it, or a refused one is. */
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
