// Compares two pages: finds the pairs of modes that two decision lists about one tool give to the same arguments.
// outcomes.ts searches a single list.
import {
  type ChosenValues,
  canonicalizeArguments,
  checkRecord,
  computeMode,
  listConditions,
  type PermissionMode,
} from "../../../../engine/lib/policy/index.ts";
import type { Decision, Param } from "../../../../engine/lib/wire/generated/policy.ts";
import { buildArguments } from "./build-arguments.ts";
import { fillIn, isAboutChosen, sampleChosen } from "./chosen.ts";
import { assumeFloors, combineAnswers, evaluateList, numberList } from "./combinations.ts";
import { assumeSources, type Heard } from "./heard.ts";
import { evaluateLeaves, MOST_COMBINED, type NumberedCondition, numberOf } from "./outcomes.ts";

/** The modes that two lists give to the same arguments. */
export interface ModePair {
  readonly before: PermissionMode;
  readonly after: PermissionMode;
  /**
   * Arguments as canonical JSON for which the gate decides these modes; absent if such arguments were neither found nor
   * ruled out.
   */
  readonly arguments?: string;
  /** Assumptions about texts that the conversation received earlier. */
  readonly heard?: readonly Heard[];
  /** Values of the task's parameters; absent if no condition names one. */
  readonly chosen?: ChosenValues;
}

/** The pairs that were found, each once. */
interface ModePairs {
  readonly pairs: readonly ModePair[];
  /** Whether there certainly are no other pairs. */
  readonly complete: boolean;
}

/**
 * Returns the pairs of modes that the two lists give to the same valid arguments, in a conversation in which all their
 * floors apply.
 */
export function findModePairs(params: readonly Param[], before: Decision, after: Decision): ModePairs {
  if (!isAboutChosen(before) && !isAboutChosen(after)) return findPlainPairs(params, before, after);
  const conditions = [before, after].flatMap(listConditions);
  const { chosen, complete } = sampleChosen([{ params, conditions }]);
  const found = chosen.map((values) => ({
    values,
    ...findPlainPairs(params, fillIn(before, values), fillIn(after, values)),
  }));
  const pairs = new Map<string, ModePair>();
  for (const { values, pairs: own } of found) {
    for (const pair of own) {
      const key = `${pair.before} ${pair.after}`;
      const known = pairs.get(key);
      if (known === undefined || rankExample(pair) > rankExample(known)) pairs.set(key, { ...pair, chosen: values });
    }
  }
  return { pairs: [...pairs.values()], complete: complete && found.every((one) => one.complete) };
}

function findPlainPairs(params: readonly Param[], before: Decision, after: Decision): ModePairs {
  const numbers = new Map<string, number>();
  const distinct: NumberedCondition[] = [];
  const [first, second] = [before, after].map((side) => numberList(side, (one) => numberOf(one, numbers, distinct)));
  if (first === undefined || second === undefined) return { pairs: [], complete: false };
  if (distinct.length > MOST_COMBINED) return { pairs: [], complete: false };
  const { leaves, complete } = evaluateLeaves(params, distinct);
  const { combined, whole } = combineAnswers(leaves, ({ assignments, partial }) => [...assignments, ...partial]);
  const found = new Map<string, ModePair>();
  for (const { truths, settings, heard } of combined) {
    const expected = { before: evaluateList(first, truths), after: evaluateList(second, truths) };
    const key = `${expected.before} ${expected.after}`;
    const known = found.get(key);
    if (known !== undefined && rankExample(known) >= (hasUnknown(heard) ? 1 : BEST)) continue;
    const text = settings && buildArguments(params, settings);
    const fits = text !== undefined && hasExpectedModes(params, [before, after], { text, heard }, expected);
    if (fits) found.set(key, { ...expected, arguments: text, heard });
    else if (known === undefined) found.set(key, expected);
  }
  return { pairs: [...found.values()], complete: complete && whole && !leaves.some(({ leaf }) => leaf.isOpen) };
}

/** Returns whether an assumption says that a part of the conversation's texts is lost. */
function hasUnknown(heard: readonly Heard[]): boolean {
  return heard.some(({ standing }) => standing === "unknown");
}

/** Rank of a pair with arguments and known origins. */
const BEST = 2;

/** Returns how easily a reader can check a pair: best if it has arguments, and if no origin is unknown. */
function rankExample({ arguments: asked, heard = [] }: Pick<ModePair, "arguments" | "heard">): number {
  if (asked === undefined) return 0;
  return hasUnknown(heard) ? 1 : BEST;
}

/**
 * Returns whether the gate accepts these arguments and decides as expected. Returns `false` if the arguments were built
 * for truths that no arguments can have. For example, a required field would be absent, although another field of the
 * same record is present. The pair then counts as neither found nor ruled out.
 */
function hasExpectedModes(
  params: readonly Param[],
  lists: readonly Decision[],
  { text, heard }: { readonly text: string; readonly heard: readonly Heard[] },
  { before, after }: { readonly before: PermissionMode; readonly after: PermissionMode },
): boolean {
  const read = canonicalizeArguments(text);
  if (!read.ok || checkRecord(params, read.value.value) !== undefined) return false;
  const seen = { label: NO_LABEL, unattended: false, sources: assumeSources(heard) };
  const given = lists.map((list) => computeMode(assumeFloors(list), read.value.value, seen).mode);
  return given[0] === before && given[1] === after;
}

/**
 * Label for the decision of the gate. Any label would do: only floors depend on the label, and all floors are assumed
 * to apply.
 */
const NO_LABEL = { confidentiality: 0, integrity: 0, compartments: 0n };
