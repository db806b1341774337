// A leaf is one argument, or one field inside an argument, with all conditions of a decision list on it.
import {
  asksForParameters,
  evaluateConditions,
  type Json,
  type JsonRecord,
  serializeCondition,
  type Truth,
} from "../../../../engine/lib/policy/index.ts";
import type { Condition, Param, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { canBeAnswered, createPresence, isAlwaysKnown, isOpen } from "../../conditions/index.ts";
import type { Setting } from "./build-arguments.ts";
import { MOST_LITERALS, sampleCandidates } from "./candidates.ts";
import {
  type AssumedAnswer,
  type Heard,
  joinHeard,
  listAssumedAnswers,
  listAssumedTruths,
  listMixedAnswers,
} from "./heard.ts";
import { sampleWholes } from "./wholes.ts";

/** For each condition on a leaf, a truth: whether the condition holds, fails or is unknown. */
interface TruthAssignment {
  /** Truths in the order of the leaf's conditions. */
  readonly truths: readonly Truth[];
  /**
   * Values of arguments that give these truths. Empty if the argument is left out; absent if such values were neither found nor ruled out.
   */
  readonly settings?: readonly Setting[];
  /** Assumptions about texts that the conversation received earlier. */
  readonly heard?: readonly Heard[];
}

/** Argument or field, and the truths that its values can give to the conditions on it. */
export interface Leaf {
  readonly path: readonly string[];
  readonly assignments: readonly TruthAssignment[];
  /**
   * A value for which one of the conditions is unknown; `undefined` if there is none, and `open` if none was found but
   * there may be one.
   */
  readonly unknown: UnknownValue | "open" | undefined;
  /** The assignments of truths that were found and in which some condition is unknown. */
  readonly partial: readonly PartialAssignment[];
  /** Whether `partial` may be incomplete. */
  readonly isOpen: boolean;
  /**
   * Returns further assignments of truths in which some condition is unknown: the search has not found them, but cannot
   * rule them out. The list is empty unless the search was exhaustive.
   */
  readonly listUnseen: () => readonly TruthAssignment[];
}

/** Arguments for which a condition is unknown. */
interface UnknownValue {
  readonly settings: readonly Setting[];
  readonly heard: readonly Heard[];
}

/** A truth for each condition on a leaf; at least one condition is unknown. */
interface PartialAssignment {
  /** Truths in the order of the leaf's conditions. */
  readonly truths: readonly Truth[];
  readonly settings: readonly Setting[];
  readonly heard: readonly Heard[];
}

/**
 * `sampled` finds assignments of truths by trying values. `exhaustive` also lists the assignments that cannot be ruled
 * out, in time that is exponential in the number of conditions.
 */
type LeafSearch = "sampled" | "exhaustive";

/**
 * Returns the path of the leaf to which a condition belongs. Conditions on elements, on absence or on parts of a text
 * may depend on other fields of their argument. So all conditions on such an argument belong to one leaf. `whole` has
 * the names of these arguments.
 */
export function findLeafPath({ path }: Condition, whole: ReadonlySet<string>): readonly string[] {
  const [name = ""] = path;
  return whole.has(name) ? [name] : path;
}

/** Returns the names of the arguments that form one leaf together with all their fields. */
export function findWholeArguments(conditions: readonly Condition[]): ReadonlySet<string> {
  return new Set(conditions.filter((condition) => !isAboutOneValue(condition)).map(({ path }) => path[0] ?? ""));
}

function isAboutOneValue({ each, extract, absentHolds, term }: Condition): boolean {
  return each === "single" && extract === "none" && !absentHolds && term !== "has" && term !== "count";
}

/** Returns the leaf of a path, with the truths that its values can give to the conditions. */
export function evaluateLeaf(
  params: readonly Param[],
  path: readonly string[],
  conditions: readonly Condition[],
  search: LeafSearch,
): Leaf {
  const place = placeOf(params, path);
  if (place === undefined) {
    const absent = conditions.map((condition) => evaluateConditions([condition], {}));
    return evaluateStranger(path, absent);
  }
  const key = JSON.stringify([path, place.optional, search, conditions.map(serializeCondition)]);
  const leaves = getKnownLeaves(place.type);
  const leaf = leaves.get(key) ?? evaluatePlace(place, path, conditions, search);
  leaves.set(key, leaf);
  return leaf;
}

/**
 * Maximum number of cached leaves of one type. Even if a page has ten thousand lines, they often have the same
 * conditions on few types.
 */
const MOST_KNOWN = 4096;

const KNOWN_LEAVES = new WeakMap<Type, Map<string, Leaf>>();

/** Returns the cached leaves of a type. Their number is bounded, because an editor compiles for hours. */
function getKnownLeaves(type: Type): Map<string, Leaf> {
  const known = KNOWN_LEAVES.get(type);
  if (known !== undefined && known.size < MOST_KNOWN) return known;
  const made = new Map<string, Leaf>();
  KNOWN_LEAVES.set(type, made);
  return made;
}

function evaluatePlace(
  place: LeafType,
  path: readonly string[],
  conditions: readonly Condition[],
  search: LeafSearch,
): Leaf {
  const isExact = conditions.every((condition) => isAboutLeaf(condition, path));
  const { values, complete } = isExact
    ? sampleCandidates(place.type, conditions)
    : { values: sampleWholes(place.type, conditions, path.length), complete: false };
  const given = values.map((value) => ({ args: nestValue(path, value), settings: [{ path, value }] }));
  const { found, unknown, partial } = evaluateValues(
    conditions,
    place.optional ? [{ args: {}, settings: [] }, ...given] : given,
  );
  const open = search === "exhaustive" && !complete ? findOpenAssignments(place, path, conditions, found) : [];
  const isOpen = !isExact && !conditions.every((condition) => isKnown(place, condition, path));
  const assignments = [...found.values(), ...open];
  const listUnseen = () =>
    search === "exhaustive" ? findUnseen({ place, path, conditions, partial, isOpen: !isExact && isOpen }) : [];
  return { path, assignments, unknown: unknown ?? (isOpen ? "open" : undefined), partial, isOpen, listUnseen };
}

/** A leaf with the assignments of truths that were found. */
interface SearchedLeaf extends Pick<Leaf, "path" | "partial" | "isOpen"> {
  readonly place: LeafType;
  readonly conditions: readonly Condition[];
}

/**
 * Returns assignments of truths in which some condition is unknown: the search has found no value for them, but cannot
 * rule them out. Conditions that read a value in the same way are unknown for the same values. So if all conditions of
 * a leaf read the value in the same way, they can only be unknown together. If `isOpen` is also false, the search has
 * found the assignment in which all are unknown, or this assignment is impossible. So the list is then empty.
 */
function findUnseen({ place, path, conditions, partial, isOpen }: SearchedLeaf): readonly TruthAssignment[] {
  const kinds = conditions.map(renderReading);
  const isCertain = conditions.map((condition) => isAboutLeaf(condition, path) && isAlwaysKnown(place.type, condition));
  if (!isOpen && (new Set(kinds).size < 2 || isCertain.every((one) => one))) return [];
  const known = new Set(partial.map(({ truths }) => truths.join()));
  const tried = conditions.map((condition) => listsAllValues(condition, conditions));
  const combined = conditions.reduce<readonly (readonly Truth[])[]>(
    (all, condition, at) =>
      all.flatMap((truths) =>
        [...listPossibleTruths(condition), ...(isCertain[at] ? [] : ["unknown" as const])].map((one) => [
          ...truths,
          one,
        ]),
      ),
    [[]],
  );
  return combined.flatMap((truths): readonly TruthAssignment[] => {
    if (!truths.includes("unknown") || known.has(truths.join())) return [];
    if (isOpen) return [{ truths }];
    const isTogether = truths.every((truth, at) =>
      kinds.every((kind, other) => kind !== kinds[at] || (truths[other] === "unknown") === (truth === "unknown")),
    );
    if (!isTogether || tried.some((all, at) => all && truths[at] === "holds")) return [];
    const asked = conditions.flatMap((condition, at) =>
      truths[at] === "unknown" ? [] : [{ condition, holds: truths[at] !== "fails" }],
    );
    return canBeAnswered(place.type, [...asked, createPresence(path)]) ? [{ truths }] : [];
  });
}

/**
 * Returns a text that describes how a condition reads a value. Conditions with the same text can be evaluated for the
 * same values.
 */
function renderReading({ term, operator, literals, sources }: Condition): string {
  if (operator === "from") return `from ${JSON.stringify(sources)}`;
  return `${term} ${operator === "under"} ${literals[0]?.which}`;
}

/**
 * Returns whether a condition is about the whole value at the path, which may be absent, rather than about parts of the
 * value.
 */
function isAboutLeaf({ each, extract, term, path: { length } }: Condition, path: readonly string[]): boolean {
  return each === "single" && extract === "none" && term !== "count" && length === path.length;
}

/**
 * Returns whether a condition holds or fails, and is never unknown, for every present value. `true` is certain; `false`
 * may be wrong.
 */
function isKnown({ type }: LeafType, condition: Condition, path: readonly string[]): boolean {
  const { each, extract, term } = condition;
  if (term === "has") return true;
  if (extract !== "none") return false;
  if (condition.path.length !== path.length) {
    const field =
      each === "single" ? findField({ type, optional: false }, condition.path.slice(path.length)) : undefined;
    const isAnswered = field !== undefined && (!field.optional || condition.absentHolds);
    return isAnswered && isAlwaysKnown(field.type, condition);
  }
  if (each === "single") return isAlwaysKnown(type, condition);
  return type.which === "list" && isAlwaysKnown(getElementType(type), { ...condition, each: "single" });
}

/**
 * Returns whether a condition may be unknown for some valid arguments: for an absent or unreadable value, or because the
 * conversation lost texts. `false` is certain.
 */
export function canBeUnknown(params: readonly Param[], condition: Condition): boolean {
  const { path, term, operator } = condition;
  if (term === "has") return false;
  if (operator === "from" || asksForParameters(condition)) return true;
  const [name = ""] = path;
  const place = placeOf(params, [name]);
  if (place === undefined || (place.optional && !condition.absentHolds)) return true;
  return !isKnown(place, condition, [name]);
}

/**
 * Returns whether a condition with `from` is unknown only if the conversation lost texts. This is so if the condition
 * is about one whole, required argument that is a text or a number.
 */
export function hasPlainOrigin(params: readonly Param[], { operator, path, each, extract, term }: Condition): boolean {
  const place = path.length === 1 ? placeOf(params, path) : undefined;
  const isWhole = each === "single" && extract === "none" && term === "value";
  return operator === "from" && isWhole && place !== undefined && !place.optional && PLAIN.has(place.type.which);
}

/** Types whose values are texts or numbers. */
const PLAIN: ReadonlySet<Type["which"]> = new Set(["text", "integer", "number"]);

function getElementType(type: Type): Type {
  return type.which === "list" ? getElementType(type.list) : type;
}

/** Returns the leaf of a path that no argument has: for its conditions, the value is absent in every call. */
function evaluateStranger(path: readonly string[], truths: readonly Truth[]): Leaf {
  if (!truths.includes("unknown")) {
    const known = { truths, settings: [] };
    return { path, assignments: [known], unknown: undefined, partial: [], isOpen: false, listUnseen: () => [] };
  }
  return {
    path,
    assignments: [],
    unknown: { settings: [], heard: [] },
    partial: [{ truths, settings: [], heard: [] }],
    isOpen: false,
    listUnseen: () => [],
  };
}

interface LeafType {
  readonly type: Type;
  /** Whether the value, or a record that contains it, may be absent. */
  readonly optional: boolean;
}

/** Returns the type at a path of the arguments, or `undefined` if no argument has this path. */
function placeOf(params: readonly Param[], path: readonly string[]): LeafType | undefined {
  const [name, ...rest] = path;
  const param = params.find((one) => one.name === name);
  if (param === undefined) return undefined;
  if (rest.length === 0) return { type: param.type, optional: !param.required };
  // Values that the gate does not validate may have members with any names.
  if (isOpen(param.type)) return { type: param.type, optional: true };
  const inner = param.type.which === "record" ? placeOf(param.type.record, rest) : undefined;
  return inner && { type: inner.type, optional: inner.optional || !param.required };
}

interface EvaluatedValues {
  readonly found: ReadonlyMap<string, TruthAssignment>;
  readonly unknown: UnknownValue | undefined;
  readonly partial: readonly PartialAssignment[];
}

/** Sample arguments, and the values from which they were made. */
interface Trial {
  readonly args: JsonRecord;
  readonly settings: readonly Setting[];
}

/** Evaluates the conditions on each trial. If several trials give the same truths, the first one is kept. */
function evaluateValues(conditions: readonly Condition[], trials: readonly Trial[]): EvaluatedValues {
  if (!conditions.some(({ operator }) => operator === "from")) return evaluatePlainValues(conditions, trials);
  const found = new Map<string, TruthAssignment>();
  const partial = new Map<string, PartialAssignment>();
  const hasEach = conditions.some(({ each, extract }) => each !== "single" || extract !== "none");
  let unknown: UnknownValue | undefined;
  for (const { args, settings } of trials) {
    const answers = conditions.map((condition) => listAnswers(condition, args));
    for (const combined of combineAnswers(answers)) {
      const truths = combined.map(({ truth }) => truth);
      const heard = joinHeard(combined.map((answer) => answer.heard));
      const key = truths.join();
      if (heard === undefined) {
        // The conditions assume different sources of one value, which is impossible if they are about one element. But
        // the truths are possible together if the conditions are about different elements of a list, because elements
        // may have different sources. The search itself tries only lists of two elements.
        if (hasEach && !truths.includes("unknown") && !found.has(key)) found.set(key, { truths });
      } else if (truths.includes("unknown")) {
        unknown ??= { settings, heard };
        if (!partial.has(key)) partial.set(key, { truths, settings, heard });
      } else if (found.get(key)?.settings === undefined) found.set(key, { truths, settings, heard });
    }
    for (const { truths, heard } of hasEach ? listMixedAnswers(conditions, args) : []) {
      const key = truths.join();
      if (truths.includes("unknown")) {
        if (!partial.has(key)) partial.set(key, { truths, settings, heard });
      } else if (found.get(key)?.settings === undefined) found.set(key, { truths, settings, heard });
    }
  }
  return { found, unknown, partial: [...partial.values()] };
}

/** Evaluates conditions without sources, whose truth for a trial does not depend on the conversation. */
function evaluatePlainValues(conditions: readonly Condition[], trials: readonly Trial[]): EvaluatedValues {
  const found = new Map<string, TruthAssignment>();
  const partial = new Map<string, PartialAssignment>();
  const alone = conditions.map((condition) => [condition]);
  for (const { args, settings } of trials) {
    const truths = alone.map((one) => evaluateConditions(one, args));
    const key = truths.join();
    const known = truths.includes("unknown") ? partial : found;
    if (!known.has(key)) known.set(key, { truths, settings, heard: [] });
  }
  const all = [...partial.values()];
  return { found, unknown: all[0] && { settings: all[0].settings, heard: [] }, partial: all };
}

function listAnswers(condition: Condition, args: JsonRecord): readonly AssumedAnswer[] {
  if (condition.operator === "from") return listAssumedAnswers(condition, args);
  return [{ truth: evaluateConditions([condition], args), heard: [] }];
}

/**
 * Returns all combinations of one truth for each condition. The caller makes sure that there are few combinations.
 */
function combineAnswers(answers: readonly (readonly AssumedAnswer[])[]): readonly (readonly AssumedAnswer[])[] {
  return answers.reduce<readonly (readonly AssumedAnswer[])[]>(
    (combined, more) => combined.flatMap((one) => more.map((answer) => [...one, answer])),
    [[]],
  );
}

function nestValue(path: readonly string[], value: Json): JsonRecord {
  const [name = "", ...rest] = path;
  const record: Record<string, Json> = Object.create(null);
  record[name] = rest.length === 0 ? value : nestValue(rest, value);
  return record;
}

function findOpenAssignments(
  place: LeafType,
  path: readonly string[],
  conditions: readonly Condition[],
  found: ReadonlyMap<string, TruthAssignment>,
): readonly TruthAssignment[] {
  // The fields of list elements are not examined here: conditions on them count as possible with any truths.
  const numbered = conditions.map((condition, index) => ({ condition, index }));
  const groups = [...Map.groupBy(numbered, ({ condition }) => condition.path.slice(path.length).join("."))].map(
    ([, about]) => ({ about, field: findField(place, about[0]?.condition.path.slice(path.length) ?? []) }),
  );
  const tried = conditions.map((condition) => listsAllValues(condition, conditions));
  return enumerateTruths(conditions).flatMap((truths) => {
    if (found.has(truths.join())) return [];
    // `tried` states for each condition whether the search tried every value that meets it. If such a condition holds
    // in `truths`, and the search did not find `truths`, they are impossible.
    if (place.type.which === "text" && tried.some((all, index) => all && truths[index] === "holds")) return [];
    const isPossible = groups.every(({ about, field }) => {
      if (field === undefined) return true;
      const asked = about.map(({ condition, index }) => ({ condition, holds: truths[index] !== "fails" }));
      return canBeAnswered(field.type, field.optional ? asked : [...asked, createPresence(path)]);
    });
    return isPossible ? [{ truths }] : [];
  });
}

/**
 * Returns whether the search tries every value that meets the condition. This is so if only the literals of the
 * condition meet it, and all of them are tried.
 */
function listsAllValues({ term, operator, literals, absentHolds }: Condition, all: readonly Condition[]): boolean {
  const words = all.reduce((count, condition) => count + condition.literals.length, 0);
  const isOneOf = term === "value" && !absentHolds && (operator === "equal" || operator === "in");
  return isOneOf && words <= MOST_LITERALS && all.every(isPlain) && literals.every(({ which }) => which === "text");
}

function isPlain({ each, extract }: Condition): boolean {
  return each === "single" && extract === "none";
}

/** Returns the type at a path, or `undefined` if the path leads through a type that is not a record. */
function findField({ type, optional }: LeafType, path: readonly string[]): LeafType | undefined {
  if (path.length === 0) return { type, optional: optional || isOpen(type) };
  const field = type.which === "record" ? placeOf(type.record, path) : undefined;
  return field && { type: field.type, optional: optional || field.optional || isOpen(field.type) };
}

function enumerateTruths(conditions: readonly Condition[]): readonly (readonly Truth[])[] {
  return conditions.reduce<readonly (readonly Truth[])[]>(
    (combined, condition) => combined.flatMap((one) => listPossibleTruths(condition).map((truth) => [...one, truth])),
    [[]],
  );
}

/** Returns the truths other than `unknown` that a condition may have. */
export function listPossibleTruths(condition: Condition): readonly Truth[] {
  if (condition.operator !== "from") return ["holds", "fails"];
  const truths = listAssumedTruths(condition);
  // A condition on every element holds for an empty list, whatever its sources are. A condition with `or absent` holds
  // if the value is absent.
  const holdsWithout = condition.each === "every" || condition.absentHolds;
  return holdsWithout && !truths.includes("holds") ? ["holds", ...truths] : truths;
}
