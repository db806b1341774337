// Collects the demands on one value that follow from conditions that must hold or fail. Each kind of demand is
// collected separately: words, number, size, origin, folders. The time is linear in the number of conditions, because a
// page may have a hundred thousand.
import { type Decimal, parseDecimal, parsePathSegments } from "../../../engine/lib/policy/index.ts";
import type { Condition, Literal } from "../../../engine/lib/wire/generated/policy.ts";
import { type Bound, createInterval, formatDecimal, type Interval } from "./interval.ts";

/** A condition, and whether it must hold or fail. */
export interface SignedCondition {
  readonly condition: Condition;
  readonly holds: boolean;
}

/** Returns the demand that the argument at this path is present and not null. */
export function createPresence(path: readonly string[]): SignedCondition {
  const literals = [{ which: "boolean", boolean: true } as const];
  const plain = { each: "single", extract: "none", absentHolds: false, sources: [] } as const;
  return { condition: { path, term: "has", operator: "equal", literals, ...plain }, holds: true };
}

/**
 * Values that conditions allow or refuse by naming them. If `allowed` is absent, every value is allowed except those in
 * `refused`.
 */
export interface Named<T> {
  readonly allowed?: ReadonlyMap<string, T>;
  readonly refused: ReadonlySet<string>;
}

/** Constraints of conditions on a number. */
export interface Amounts {
  /** Numbers that conditions list: the value must be one of them. Absent if no condition lists numbers. */
  readonly points?: ReadonlyMap<string, Decimal>;
  readonly interval: Interval;
}

/**
 * All demands of conditions on one value. `inside` and `outside` are folders; each folder is a list of names, the
 * outermost first.
 */
export interface Demands {
  /** Texts and booleans that conditions allow or refuse. */
  readonly words: Named<string>;
  readonly origins: Named<string>;
  readonly numbers: Amounts;
  readonly sizes: Amounts;
  readonly inside: readonly (readonly string[])[];
  readonly outside: readonly (readonly string[])[];
  readonly domains: Named<string>;
  /** Domains that must contain the domain of the value; `beyond` has the domains that must not contain it. */
  readonly within: readonly string[];
  readonly beyond: readonly string[];
  /**
   * Constraints on counts: one entry for the elements of a list, one for the links in a text, and one for the addresses
   * in a text.
   */
  readonly counts: readonly Amounts[];
  /** Bounds that conditions set for a date, in milliseconds. */
  readonly dates: Amounts;
  readonly durations: Amounts;
  /** Conditions that can only be checked on the whole text. */
  readonly wholes: readonly SignedCondition[];
}

/** Bounds that the type has, in addition to those of the conditions. */
export interface Natural {
  readonly counts: readonly [low: Decimal, high: Decimal];
  readonly durations: readonly [low: Decimal, high: Decimal];
  readonly numbers: readonly [low: Decimal, high: Decimal] | undefined;
  readonly sizes: readonly [low: Decimal, high: Decimal] | undefined;
}

/** Returns what all conditions together demand of one value. */
export function deriveDemands(signed: readonly SignedCondition[], natural: Natural): Demands {
  const ofLiterals = signed.filter(({ condition }) => isOfOneLiteral(condition.operator));
  const selectByTerm = (term: Condition["term"]) =>
    ofLiterals.length === 0 ? ofLiterals : ofLiterals.filter(({ condition }) => condition.term === term);
  const values = selectByTerm("value");
  const counts = Map.groupBy(selectByTerm("count").filter(isOfAmounts), ({ condition }) => condition.extract);
  return {
    words: combineNamed(values.filter(({ condition }) => condition.literals.every(isWord)).map(chooseByWords)),
    origins: combineNamed(selectByTerm("origin").map(chooseByWords)),
    numbers: combineAmounts(values.filter(isOfAmounts), natural.numbers),
    sizes: combineAmounts(selectByTerm("size").filter(isOfAmounts), natural.sizes),
    inside: collectFolders(signed, "holds"),
    outside: collectFolders(signed, "fails"),
    domains: combineNamed(selectByTerm("domain").map(chooseByWords)),
    within: collectDomains(signed, "holds"),
    beyond: collectDomains(signed, "fails"),
    counts: [...counts.values()].map((some) => combineAmounts(some, natural.counts)),
    dates: combineAmounts(selectByTerm("date").filter(isOfAmounts), undefined),
    durations: combineAmounts(selectByTerm("duration").filter(isOfAmounts), natural.durations),
    wholes: signed.filter(({ condition: { term, operator } }) => isOfText(operator) || OF_WHOLE.includes(term)),
  };
}

/** Terms that describe a text as a whole, so that it has only one of each: its domain, its date or its duration. */
const OF_WHOLE: readonly Condition["term"][] = ["domain", "date", "duration"];

/**
 * Returns whether an operator is none of those that `deriveDemands` treats separately: `under` for folders and domains,
 * and `startsWith`, `endsWith` and `matches` for parts of texts.
 */
function isOfOneLiteral(operator: Condition["operator"]): boolean {
  return operator !== "under" && !isOfText(operator);
}

/** Returns whether an operator tests the spelling of a text. */
export function isOfText(operator: Condition["operator"]): operator is "startsWith" | "endsWith" | "matches" {
  return operator === "startsWith" || operator === "endsWith" || operator === "matches";
}

interface Choosing<T> {
  readonly allows: boolean;
  readonly values: ReadonlyMap<string, T>;
}

function chooseByWords({ condition, holds }: SignedCondition): Choosing<string> {
  const words = condition.literals.map(readWord);
  return { allows: holds !== (condition.operator === "notEqual"), values: new Map(words.map((word) => [word, word])) };
}

const NOBODY_NAMED: Named<never> = { refused: new Set() };

function combineNamed<T>(choosing: readonly Choosing<T>[]): Named<T> {
  if (choosing.length === 0) return NOBODY_NAMED;
  const allowed = intersectMaps(choosing.filter(({ allows }) => allows).map(({ values }) => values));
  const refused = new Set(choosing.filter(({ allows }) => !allows).flatMap(({ values }) => [...values.keys()]));
  return { ...(allowed && { allowed }), refused };
}

/**
 * Returns the entries whose keys are in all maps, or `undefined` if there are no maps. The function starts with the
 * smallest map, so that the time is proportional to the size of this map.
 */
function intersectMaps<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> | undefined {
  const [first, ...others] = [...maps].sort((one, other) => one.size - other.size);
  return first && new Map([...first].filter(([key]) => others.every((other) => other.has(key))));
}

function isWord(literal: Literal): boolean {
  return literal.which !== "decimal";
}

function readWord(literal: Literal): string {
  switch (literal.which) {
    case "text":
      return literal.text;
    case "boolean":
      return String(literal.boolean);
    case "decimal":
      return literal.decimal;
    case "parameter":
      return `task.${literal.parameter.name}`;
  }
}

function isOfAmounts({ condition }: SignedCondition): boolean {
  return condition.literals.every((literal) => readDecimal(literal) !== undefined);
}

function readDecimal(literal: Literal): Decimal | undefined {
  return literal.which === "decimal" ? parseDecimal(literal.decimal) : undefined;
}

const OPPOSITE = {
  equal: "notEqual",
  notEqual: "equal",
  less: "greaterOrEqual",
  greaterOrEqual: "less",
  greater: "lessOrEqual",
  lessOrEqual: "greater",
} as const;

/**
 * Cache of the demands on numbers that no condition tests. The key is the two bounds of the type, and the demands are
 * only these bounds.
 */
const UNASKED = new WeakMap<readonly [Decimal, Decimal], Amounts>();
const UNBOUNDED: Amounts = { interval: createInterval([], [], []) };

function combineAmounts(signed: readonly SignedCondition[], natural: readonly [Decimal, Decimal] | undefined): Amounts {
  if (signed.length > 0) return combineAsked(signed, natural);
  if (natural === undefined) return UNBOUNDED;
  const known = UNASKED.get(natural) ?? combineAsked(signed, natural);
  UNASKED.set(natural, known);
  return known;
}

function combineAsked(signed: readonly SignedCondition[], natural: readonly [Decimal, Decimal] | undefined): Amounts {
  const lows: Bound[] = natural ? [{ value: natural[0], open: false }] : [];
  const highs: Bound[] = natural ? [{ value: natural[1], open: false }] : [];
  const points: Map<string, Decimal>[] = [];
  const holes: Decimal[] = [];
  for (const { condition, holds } of signed) {
    const values = condition.literals.flatMap((literal) => readDecimal(literal) ?? []);
    const { operator } = condition;
    const [value] = values;
    if (value === undefined || operator === "under" || operator === "from" || isOfText(operator)) continue;
    const asked = operator === "in" ? (holds ? "equal" : "notEqual") : holds ? operator : OPPOSITE[operator];
    if (asked === "equal") points.push(new Map(values.map((each) => [formatDecimal(each), each])));
    else if (asked === "notEqual") for (const each of values) holes.push(each);
    else if (asked === "greater" || asked === "greaterOrEqual") lows.push({ value, open: asked === "greater" });
    else highs.push({ value, open: asked === "less" });
  }
  const shared = intersectMaps(points);
  return { ...(shared && { points: shared }), interval: createInterval(lows, highs, holes) };
}

function collectFolders(signed: readonly SignedCondition[], sign: "holds" | "fails"): (readonly string[])[] {
  return signed.flatMap(({ condition: { operator, term, literals }, holds }) => {
    if (operator !== "under" || term !== "value" || holds !== (sign === "holds")) return [];
    const [root] = literals;
    const segments = root?.which === "text" ? parsePathSegments(root.text) : undefined;
    return segments === undefined ? [] : [segments];
  });
}

function collectDomains(signed: readonly SignedCondition[], sign: "holds" | "fails"): string[] {
  return signed.flatMap(({ condition: { operator, term, literals }, holds }) => {
    if (operator !== "under" || term !== "domain" || holds !== (sign === "holds")) return [];
    return literals.flatMap((literal) => (literal.which === "text" ? [literal.text] : []));
  });
}
