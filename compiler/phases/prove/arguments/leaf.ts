// One argument, or one field inside an argument, and all conditions of a decision list that ask about it.
import { evaluateConditions, type Json, type JsonRecord, type Truth } from "../../../../engine/lib/policy/index.ts";
import type { Condition, Param, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { canBeAnswered, isOpen } from "../../conditions/index.ts";
import { MOST_LITERALS, sampleCandidates } from "./candidates.ts";
import { type AssumedAnswer, type Heard, joinHeard, listAssumedAnswers, listAssumedTruths } from "./heard.ts";

/** A truth value for each condition about the leaf. */
interface TruthAssignment {
  /** In the order of the leaf's conditions. */
  readonly truths: readonly Truth[];
  /** A value that gives these answers; nothing where none was found and none can be ruled out. */
  readonly value?: Json;
  /** What was heard of the value before. */
  readonly heard?: readonly Heard[];
}

/** One argument or field, and how it can answer. */
export interface Leaf {
  readonly path: readonly string[];
  readonly assignments: readonly TruthAssignment[];
  /** How one of the conditions comes to be unknown; nothing where that cannot be. */
  readonly unknown: { readonly kind: "absent" } | UnknownValue | undefined;
  /** Every assignment that was found in which some conditions are unknown. */
  readonly partial: readonly PartialAssignment[];
}

/** A value about which a condition cannot be told. */
interface UnknownValue {
  readonly kind: "value";
  readonly value: Json;
  readonly heard: readonly Heard[];
}

/** A truth value for each condition about the leaf; some are unknown. */
interface PartialAssignment {
  /** In the order of the leaf's conditions. */
  readonly truths: readonly Truth[];
  /** Absent where the argument is left out. */
  readonly value?: Json;
  readonly heard?: readonly Heard[];
}

/**
 * Which assignments a leaf has: those that a value was found for, or also those that cannot be ruled out. The second takes
 * time for two to the power of the number of conditions.
 */
type LeafSearch = "sampled" | "exhaustive";

/** Returns how the argument or field with this path can answer the conditions. */
export function evaluateLeaf(
  params: readonly Param[],
  path: readonly string[],
  conditions: readonly Condition[],
  search: LeafSearch,
): Leaf {
  const place = placeOf(params, path);
  const none: PartialAssignment = { truths: conditions.map(() => "unknown") };
  if (place === undefined) return { path, assignments: [], unknown: { kind: "absent" }, partial: [none] };
  const { values, complete } = sampleCandidates(place.type, conditions);
  const { found, unknown, partial } = evaluateValues(path, conditions, values);
  const open = search === "exhaustive" && !complete ? findOpenAssignments(place.type, conditions, found) : [];
  const assignments = [...[...found.values()], ...open];
  return {
    path,
    assignments,
    unknown: place.optional ? { kind: "absent" } : unknown,
    partial: place.optional ? [none, ...partial] : partial,
  };
}

interface LeafType {
  readonly type: Type;
  /** It, or a record around it, may be left out. */
  readonly optional: boolean;
}

/** Nothing where no argument has this path. */
function placeOf(params: readonly Param[], path: readonly string[]): LeafType | undefined {
  const [name, ...rest] = path;
  const param = params.find((one) => one.name === name);
  if (param === undefined) return undefined;
  if (rest.length === 0) return { type: param.type, optional: !param.required };
  // What the gate does not look into may have members of any name.
  if (isOpen(param.type)) return { type: param.type, optional: true };
  const inner = param.type.which === "record" ? placeOf(param.type.record, rest) : undefined;
  return inner && { type: inner.type, optional: inner.optional || !param.required };
}

interface EvaluatedValues {
  readonly found: ReadonlyMap<string, TruthAssignment>;
  readonly unknown: Leaf["unknown"];
  readonly partial: readonly PartialAssignment[];
}

/** Of values that answer alike the first stays. */
function evaluateValues(
  path: readonly string[],
  conditions: readonly Condition[],
  values: readonly Json[],
): EvaluatedValues {
  const found = new Map<string, TruthAssignment>();
  const partial = new Map<string, PartialAssignment>();
  let unknown: Leaf["unknown"];
  for (const value of values) {
    const args = nestValue(path, value);
    const answers = conditions.map((condition) => listAnswers(condition, args));
    for (const combined of combineAnswers(answers)) {
      const truths = combined.map(({ truth }) => truth);
      const heard = joinHeard(combined.map((answer) => answer.heard));
      const key = truths.join();
      if (heard === undefined) continue;
      if (truths.includes("unknown")) {
        unknown ??= { kind: "value", value, heard };
        if (!partial.has(key)) partial.set(key, { truths, value, heard });
      } else if (!found.has(key)) found.set(key, { truths, value, heard });
    }
  }
  return { found, unknown, partial: [...partial.values()] };
}

function listAnswers(condition: Condition, args: JsonRecord): readonly AssumedAnswer[] {
  if (condition.operator === "from") return listAssumedAnswers(condition, args);
  return [{ truth: evaluateConditions([condition], args), heard: [] }];
}

/** One answer to each condition, in every way. Few conditions ask for sources, or the search is given up before. */
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
  type: Type,
  conditions: readonly Condition[],
  found: ReadonlyMap<string, TruthAssignment>,
): readonly TruthAssignment[] {
  const tried = conditions.map(listsAllValues);
  return enumerateTruths(conditions).flatMap((truths) => {
    if (found.has(truths.join())) return [];
    // All values that meet such a condition were tried: what was not found is impossible.
    if (type.which === "text" && tried.some((all, index) => all && truths[index] === "holds")) return [];
    const signed = conditions.map((condition, index) => ({ condition, holds: truths[index] !== "fails" }));
    return canBeAnswered(type, signed) ? [{ truths }] : [];
  });
}

/** Whether a condition is met by its own texts and no others, each of which is a candidate. */
function listsAllValues({ term, operator, literals }: Condition, _: number, all: readonly Condition[]): boolean {
  const words = all.reduce((count, condition) => count + condition.literals.length, 0);
  const isOneOf = term === "value" && (operator === "equal" || operator === "in");
  return isOneOf && words <= MOST_LITERALS && literals.every(({ which }) => which === "text");
}

function enumerateTruths(conditions: readonly Condition[]): readonly (readonly Truth[])[] {
  return conditions.reduce<readonly (readonly Truth[])[]>(
    (combined, condition) => combined.flatMap((one) => listPossibleTruths(condition).map((truth) => [...one, truth])),
    [[]],
  );
}

/** The answers that a condition may have for some value, but for that it cannot be told. */
export function listPossibleTruths(condition: Condition): readonly Truth[] {
  return condition.operator === "from" ? listAssumedTruths(condition) : ["holds", "fails"];
}
