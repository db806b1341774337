// Decides which results two conditions about the same value can have for the same call: `count(urls(body)) <= 2` cannot
// hold where `count(urls(body)) <= 5` fails.
import {
  compareDecimals,
  type Decimal,
  isUnder,
  isWithinDomain,
  parseDecimal,
  parsePathSegments,
  parseWildcard,
  type Standing,
  serializeCondition,
  serializeSource,
  type Truth,
  type Wildcard,
} from "../../../engine/lib/policy/index.ts";
import type { Condition, Source } from "../../../engine/lib/wire/generated/policy.ts";
import { canHaveStandings } from "./standings.ts";

/** Relation between the results of two conditions for the same call. */
interface Relation {
  /** Whether each of the two conditions is unknown exactly if the other one is unknown. */
  readonly isKnownTogether: boolean;
  /**
   * Whether the second condition holds whenever the first one holds. Whenever the result of the first one is `holds`,
   * the result of the second one must be `holds` too, and not only `holdsWeakly`.
   */
  readonly implies: boolean;
  readonly isImplied: boolean;
  /** Sources of the two conditions, if both are about the sources of one value. */
  readonly sources?: readonly [one: readonly Source[], other: readonly Source[]];
  /**
   * The condition without `or absent`, if only the other one has it. If this condition is unknown, the value may be
   * absent, so the other one may have any result.
   */
  readonly asksForPresence?: Side;
  /** The condition with `every`, if the other one makes the same test with `some`. */
  readonly every?: Side;
  /** For conditions on the sources of elements: the pairs of results that both can have for one call, each pair as two words. */
  readonly together?: ReadonlySet<string>;
}

type Side = "one" | "other";

const UNRELATED: Relation = { isKnownTogether: false, implies: false, isImplied: false };

/** Relates two conditions. The returned relation is certain, but the conditions may be related in further ways. */
export function relateConditions(one: Condition, other: Condition): Relation {
  if (serializeTerm(one) !== serializeTerm(other)) return UNRELATED;
  const asked = one.absentHolds === other.absentHolds ? undefined : one.absentHolds ? "other" : "one";
  const related = relateTests(one, other);
  return asked === undefined ? related : { ...related, asksForPresence: asked };
}

/** Relates two conditions on the same value, which is present. */
function relateTests(one: Condition, other: Condition): Relation {
  if (one.operator === "from" && other.operator === "from" && one.each !== "single" && other.each !== "single")
    return { ...UNRELATED, together: listTogether(one, other) };
  if (one.each !== other.each) return relateQuantifiers(one, other);
  const [left, right] = [readDemand(one), readDemand(other)];
  if (left === undefined || right === undefined) return UNRELATED;
  const isFrom = left.kind === "sources";
  const [implies, isImplied] = [isWithin(left, right), isWithin(right, left)];
  return {
    isKnownTogether: !isFrom && left.kind === right.kind,
    implies,
    isImplied,
    ...(isFrom && right.kind === "sources" ? { sources: [one.sources, other.sources] } : {}),
  };
}

/**
 * Returns the results that two conditions on the sources of elements can have together, for lists of any length. Each
 * element has its own standings with regard to both sets of sources.
 */
function listTogether(one: Condition, other: Condition): ReadonlySet<string> {
  const elements = ELEMENT_TRUTHS.flatMap((left) =>
    ELEMENT_TRUTHS.filter((right) =>
      canHaveStandings([
        { sources: one.sources, standing: STANDINGS[left] },
        { sources: other.sources, standing: STANDINGS[right] },
      ]),
    ).map((right) => [left, right] as const),
  );
  // An absent field of an element meets a condition with `or absent`, whatever its sources are.
  const all = [...elements, ...(one.absentHolds && other.absentHolds ? [["holds", "holds"] as const] : [])];
  const found = new Map<string, readonly [Truth, Truth]>();
  const open: (readonly [Truth, Truth])[] = [[getEmptyTruth(one), getEmptyTruth(other)]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const key = pair.join(" ");
    if (found.has(key)) continue;
    found.set(key, pair);
    const [left, right] = pair;
    for (const [first, second] of all) open.push([addElement(one, left, first), addElement(other, right, second)]);
  }
  // The whole list may be absent, or unreadable for both conditions.
  const whole = one.absentHolds && other.absentHolds ? ["holds holds", "unknown unknown"] : ["unknown unknown"];
  return new Set([...found.keys(), ...whole]);
}

const ELEMENT_TRUTHS: readonly Truth[] = ["holds", "holdsWeakly", "fails", "unknown"];

function getEmptyTruth({ each }: Condition): Truth {
  return each === "every" ? "holds" : "fails";
}

/** Returns the result of a condition on a list after one more element. */
function addElement({ each }: Condition, list: Truth, element: Truth): Truth {
  if (list === "unknown" || element === "unknown") return "unknown";
  const isRaised = RANKS[element] > RANKS[list];
  return (each === "some") === isRaised ? element : list;
}

/** Relates `every` and `some` with the same test: both are unknown if the test is unknown for one element. */
function relateQuantifiers(one: Condition, other: Condition): Relation {
  if (one.each === "single" || other.each === "single" || !isSameTest(one, other)) return UNRELATED;
  return { isKnownTogether: true, implies: false, isImplied: false, every: one.each === "every" ? "one" : "other" };
}

function isSameTest(one: Condition, other: Condition): boolean {
  const [left, right] = [one, other].map((each) => serializeCondition({ ...each, each: "single", absentHolds: false }));
  return left === right;
}

const RANKS = { holds: 2, holdsWeakly: 1, fails: 0, unknown: 0 } as const satisfies Record<Truth, number>;

const STANDINGS = { holds: "strong", holdsWeakly: "weak", fails: "none", unknown: "unknown" } as const satisfies Record<
  Truth,
  Standing
>;

/**
 * Returns whether two conditions with this relation may have these results for the same call. If the result is `false`,
 * this is certain; `true` may be wrong.
 */
export function canHaveTruths(relation: Relation, one: Truth, other: Truth): boolean {
  const { isKnownTogether, implies, isImplied, sources, asksForPresence, every, together } = relation;
  if (asksForPresence !== undefined && (asksForPresence === "one" ? one : other) === "unknown") return true;
  if (together !== undefined) return together.has(`${one} ${other}`);
  // Sources are compared only if the results differ. For a value that is absent or cannot have sources, the two
  // results are always equal.
  if (sources !== undefined && one !== other) {
    const [left, right] = sources;
    if (
      !canHaveStandings([
        { sources: left, standing: STANDINGS[one] },
        { sources: right, standing: STANDINGS[other] },
      ])
    )
      return false;
  }
  if (isKnownTogether && (one === "unknown") !== (other === "unknown")) return false;
  if (every !== undefined) {
    const [all, some] = every === "one" ? [one, other] : [other, one];
    // For an empty list `every` holds and `some` fails.
    if (RANKS[all] > RANKS[some] && !(all === "holds" && some === "fails")) return false;
  }
  if (implies && RANKS[one] > RANKS[other]) return false;
  return !(isImplied && RANKS[other] > RANKS[one]);
}

function serializeTerm({ path, term, extract }: Condition): string {
  return JSON.stringify([path, term, extract]);
}

/**
 * The values for which a condition holds, such as all texts that match a pattern, or all paths in a folder. Two demands
 * of the same kind can be evaluated for exactly the same values, except demands of the kind `sources`.
 */
type Demand =
  | { readonly kind: "amounts"; readonly operator: Condition["operator"]; readonly amounts: readonly Decimal[] }
  | { readonly kind: "texts"; readonly patterns: readonly Wildcard[] }
  /**
   * All texts whose domain is within `domain`. If `domain` is `undefined`: all texts except the one that `notEqual`
   * compares with.
   */
  | { readonly kind: "texts"; readonly patterns: undefined; readonly domain: string | undefined }
  | { readonly kind: "folder"; readonly segments: readonly string[] }
  | { readonly kind: "sources"; readonly sources: ReadonlySet<string> };

function readDemand({ operator, term, literals, sources }: Condition): Demand | undefined {
  if (operator === "from") return { kind: "sources", sources: new Set(sources.map(serializeSource)) };
  const [first] = literals;
  if (first === undefined || (literals.length > 1 && operator !== "in")) return undefined;
  if (literals.every(({ which }) => which === "decimal")) {
    const amounts = literals.map((literal) =>
      literal.which === "decimal" ? parseDecimal(literal.decimal) : undefined,
    );
    const known = amounts.filter((amount) => amount !== undefined);
    return known.length === literals.length ? { kind: "amounts", operator, amounts: known } : undefined;
  }
  const texts = literals.flatMap((literal) => (literal.which === "text" ? [literal.text] : []));
  return texts.length === literals.length ? readTexts(operator, term, texts) : undefined;
}

function readTexts(
  operator: Condition["operator"],
  term: Condition["term"],
  texts: readonly string[],
): Demand | undefined {
  const [text = ""] = texts;
  const runs = texts.map((one) => [...one].map((character) => ({ which: "character" as const, character })));
  switch (operator) {
    case "equal":
    case "in":
      return { kind: "texts", patterns: runs.map((run) => [run]) };
    case "startsWith":
      return { kind: "texts", patterns: runs.map((run) => [run, []]) };
    case "endsWith":
      return { kind: "texts", patterns: runs.map((run) => [[], run]) };
    case "matches": {
      const pattern = parseWildcard(text);
      return pattern && { kind: "texts", patterns: [pattern] };
    }
    case "notEqual":
      return { kind: "texts", patterns: undefined, domain: undefined };
    case "under": {
      if (term === "domain") return { kind: "texts", patterns: undefined, domain: text };
      const segments = parsePathSegments(text);
      return segments && { kind: "folder", segments };
    }
    default:
      return undefined;
  }
}

/**
 * Returns whether the second demand allows each value that the first one allows. If the result is `true`, this is
 * certain; `false` may be wrong.
 */
function isWithin(one: Demand, other: Demand): boolean {
  if (one.kind === "amounts" && other.kind === "amounts") return isAmountWithin(one, other);
  if (one.kind === "folder" && other.kind === "folder") return isUnder(one.segments, other.segments);
  if (one.kind === "sources" && other.kind === "sources") return one.sources.isSubsetOf(other.sources);
  if (one.kind !== "texts" || other.kind !== "texts") return false;
  if (one.patterns !== undefined && other.patterns !== undefined) {
    const { patterns } = other;
    return one.patterns.every((pattern) => patterns.some((wider) => isPatternWithin(pattern, wider)));
  }
  if (one.patterns !== undefined || other.patterns !== undefined) return false;
  return one.domain !== undefined && other.domain !== undefined && isWithinDomain(one.domain, other.domain);
}

type Amounts = Extract<Demand, { readonly kind: "amounts" }>;

function isAmountWithin(one: Amounts, other: Amounts): boolean {
  if (one.operator === "equal" || one.operator === "in")
    return one.amounts.every((amount) => isAmountAllowed(amount, other));
  const [left, right] = [one.amounts[0], other.amounts[0]];
  if (left === undefined || right === undefined) return false;
  const order = compareDecimals(left, right);
  const isOpen = one.operator === "less" || one.operator === "greater";
  switch (other.operator) {
    case "less":
      return isUpper(one) && (order < 0 || (order === 0 && isOpen));
    case "lessOrEqual":
      return isUpper(one) && order <= 0;
    case "greater":
      return isLower(one) && (order > 0 || (order === 0 && isOpen));
    case "greaterOrEqual":
      return isLower(one) && order >= 0;
    case "notEqual":
      return !isAmountAllowed(right, one);
    default:
      return false;
  }
}

function isUpper({ operator }: Amounts): boolean {
  return operator === "less" || operator === "lessOrEqual";
}

function isLower({ operator }: Amounts): boolean {
  return operator === "greater" || operator === "greaterOrEqual";
}

function isAmountAllowed(amount: Decimal, { operator, amounts }: Amounts): boolean {
  return amounts.some((bound) => {
    const order = compareDecimals(amount, bound);
    switch (operator) {
      case "equal":
      case "in":
        return order === 0;
      case "notEqual":
        return order !== 0;
      case "less":
        return order < 0;
      case "lessOrEqual":
        return order <= 0;
      case "greater":
        return order > 0;
      case "greaterOrEqual":
        return order >= 0;
      default:
        return false;
    }
  });
}

type Step = Wildcard[number][number] | { readonly which: "run" };

/**
 * Returns whether a pattern matches every text that another one matches. If the result is `true`, this is certain;
 * `false` may be wrong.
 */
function isPatternWithin(one: Wildcard, other: Wildcard): boolean {
  const [left, right] = [listSteps(one), listSteps(other)];
  if (left.length * right.length > MOST_STEPS) return false;
  // The outer loop goes through `right` from its end. If `fits[at]` is true, every text that the steps of `left` from
  // index `at` match is also matched by the steps of `right` that the loop has passed.
  let fits = [...left.map(() => false), true];
  for (const step of [...right].reverse()) {
    const next: boolean[] = [];
    for (let at = left.length; at >= 0; at--) {
      const own = left[at];
      if (step.which === "run") next[at] = fits[at] === true || next[at + 1] === true;
      else next[at] = own !== undefined && isStepWithin(own, step) && fits[at + 1] === true;
    }
    fits = next;
  }
  return fits[0] === true;
}

/** Maximum number of comparisons for two patterns: each character or star of one with each of the other. */
const MOST_STEPS = 65_536;

function listSteps(pattern: Wildcard): readonly Step[] {
  return pattern.flatMap((run, at): readonly Step[] => (at === 0 ? run : [{ which: "run" }, ...run]));
}

function isStepWithin(one: Step, other: Exclude<Step, { readonly which: "run" }>): boolean {
  if (one.which === "run") return false;
  if (other.which === "any") return true;
  if (one.which !== "character") return one.which === other.which;
  return other.which === "character" ? one.character === other.character : /^[0-9]$/.test(one.character);
}
