// Lists the pairs of modes that two decision lists could give to the same arguments, without a search for values. The
// result may contain impossible pairs, but contains all possible ones.
import type { PermissionMode, Truth } from "../../../../engine/lib/policy/index.ts";
import type { Condition, Decision, Param } from "../../../../engine/lib/wire/generated/policy.ts";
import { canHaveTruths, relateConditions } from "../../conditions/index.ts";
import { evaluateList, MOST_COMBINATIONS, numberList } from "./combinations.ts";
import { canBeUnknown, hasPlainOrigin, listPossibleTruths } from "./leaf.ts";
import { MOST_COMBINED, type NumberedCondition, numberOf } from "./outcomes.ts";

interface ConceivablePair {
  readonly before: PermissionMode;
  readonly after: PermissionMode;
}

/**
 * Which calls are considered: all of them, or only those in a conversation whose texts are all known. In such a
 * conversation no argument has an unknown origin.
 */
type Texts = "any" | "known";

/**
 * Returns every pair of modes that the two lists could give to the same arguments, in a conversation in which all their
 * floors apply. Returns `undefined` if the truths of their conditions have too many combinations.
 */
export function listConceivablePairs(
  params: readonly Param[],
  before: Decision,
  after: Decision,
  texts: Texts = "any",
): readonly ConceivablePair[] | undefined {
  const numbers = new Map<string, number>();
  const distinct: NumberedCondition[] = [];
  const [first, second] = [before, after].map((list) => numberList(list, (one) => numberOf(one, numbers, distinct)));
  if (first === undefined || second === undefined || distinct.length > MOST_COMBINED) return undefined;
  const combined = combineTruths(
    params,
    distinct.map(({ condition }) => condition),
    texts,
  );
  if (combined === undefined) return undefined;
  const pairs = combined.map((truths) => ({
    before: evaluateList(first, truths),
    after: evaluateList(second, truths),
  }));
  return [...new Map(pairs.map((pair) => [`${pair.before} ${pair.after}`, pair])).values()];
}

/** Returns the combinations of truths that the conditions can have for the same arguments. */
function combineTruths(
  params: readonly Param[],
  conditions: readonly Condition[],
  texts: Texts,
): readonly (readonly Truth[])[] | undefined {
  let combined: readonly (readonly Truth[])[] = [[]];
  for (const [at, condition] of conditions.entries()) {
    const relations = conditions.slice(0, at).map((known) => relateConditions(known, condition));
    combined = combined.flatMap((truths) =>
      listTruths(params, condition, texts)
        .filter((truth) =>
          relations.every((relation, index) => canHaveTruths(relation, truths[index] ?? "unknown", truth)),
        )
        .map((truth) => [...truths, truth]),
    );
    if (combined.length > MOST_COMBINATIONS) return undefined;
  }
  return combined;
}

function listTruths(params: readonly Param[], condition: Condition, texts: Texts): readonly Truth[] {
  const known = listPossibleTruths(condition);
  const isKnown = texts === "known" && hasPlainOrigin(params, condition);
  return !isKnown && canBeUnknown(params, condition) ? [...known, "unknown"] : known;
}
