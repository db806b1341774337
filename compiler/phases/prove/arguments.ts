// Finds the modes that a decision list can give to valid arguments of a tool, and arguments for each mode. This module
// proves nothing about conversations: it assumes that all floors of the list apply, and raise the modes.
import {
  type ChosenValues,
  canonicalizeArguments,
  checkRecord,
  computeMode,
  listConditions,
  type PermissionMode,
} from "../../../engine/lib/policy/index.ts";
import type { Decision, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { buildArguments } from "./arguments/build-arguments.ts";
import { fillIn, isAboutChosen, sampleChosen } from "./arguments/chosen.ts";
import { assumeFloors, MOST_CONDITIONS } from "./arguments/combinations.ts";
import { assumeSources, type Heard } from "./arguments/heard.ts";
import { couldGive, enumerateOutcomes, type Outcomes } from "./arguments/outcomes.ts";

/** Result of the search for arguments to which a list gives one mode. */
type ArgumentSearch =
  /** Arguments as canonical JSON, and the assumptions about earlier texts that they need. */
  | {
      readonly kind: "some";
      readonly arguments: string;
      readonly heard: readonly Heard[];
      /** Values of the task's parameters; absent if no condition names one. */
      readonly chosen?: ChosenValues;
    }
  /** The list gives the mode to no arguments. */
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly why: string };

/** For each mode, the result of the search. */
export type ArgumentsByMode = { readonly [mode in PermissionMode]: ArgumentSearch };

/** The part of a tool that the search for arguments reads. */
type Fitting = Pick<Tool, "params">;

const NONE: ArgumentSearch = { kind: "none" };

/**
 * Returns, for each mode, whether the list gives this mode to some valid arguments, in a conversation in which all its
 * floors apply.
 */
export function findArguments(tool: Fitting, list: Decision): ArgumentsByMode {
  if (!isAboutChosen(list)) return findPlainArguments(tool, list);
  const { chosen, complete } = sampleChosen([{ params: tool.params, conditions: listConditions(list) }]);
  const found: { -readonly [mode in PermissionMode]: ArgumentSearch } = { ...NOTHING };
  const isLeft = (mode: PermissionMode) => found[mode].kind !== "some" && couldGive(list, mode);
  for (const values of chosen) {
    if (!MODES.some(isLeft)) return found;
    const by = findPlainArguments(tool, fillIn(list, values));
    for (const mode of MODES.filter(isLeft)) {
      const one = by[mode];
      if (one.kind === "some") found[mode] = { ...one, chosen: values };
      else if (one.kind === "unknown") found[mode] = one;
    }
  }
  if (complete || !MODES.some(isLeft)) return found;
  // The sampled values of the task's parameters were not all possible values. So the list is searched once more without
  // values: each condition that names a parameter may then hold or fail.
  const assumed = findPlainArguments(tool, list);
  for (const mode of MODES.filter(isLeft))
    if (found[mode].kind === "none" && assumed[mode].kind !== "none") found[mode] = UNCHOSEN;
  return found;
}

const MODES = ["auto", "consent", "stepUp", "forbidden"] as const;

const NOTHING: ArgumentsByMode = { auto: NONE, consent: NONE, stepUp: NONE, forbidden: NONE };

const UNCHOSEN: ArgumentSearch = {
  kind: "unknown",
  why: "no values of the task's parameters were found, and none can be ruled out",
};

function findPlainArguments(tool: Fitting, list: Decision): ArgumentsByMode {
  const outcomes = enumerateOutcomes(tool.params, list);
  const findFor = (mode: PermissionMode) => findArgumentsForMode(tool, list, mode, outcomes);
  return {
    auto: findFor("auto"),
    consent: findFor("consent"),
    stepUp: findFor("stepUp"),
    forbidden: findFor("forbidden"),
  };
}

function findArgumentsForMode(
  tool: Fitting,
  list: Decision,
  mode: PermissionMode,
  { outcomes, complete }: Outcomes,
): ArgumentSearch {
  const giving = outcomes.filter((outcome) => outcome.mode === mode);
  for (const { settings, heard } of giving.filter((one) => one.settings !== undefined).slice(0, MOST_TRIED)) {
    const text = settings && buildArguments(tool.params, settings);
    const found = verifyArguments(tool, list, mode, { text, heard });
    if (found !== undefined) return found;
  }
  if (giving.length > 0) return { kind: "unknown", why: "no arguments were found, and none can be ruled out" };
  if (complete || !couldGive(list, mode)) return NONE;
  return { kind: "unknown", why: `more than ${MOST_CONDITIONS} conditions decide about it` };
}

/** Maximum number of found arguments that the search verifies for one mode. */
const MOST_TRIED = 16;

/**
 * Verifies found arguments with the gate's own functions. Returns `undefined` if the gate decides another mode. If the
 * list has no floors, another mode is a defect of the search. If the list has floors, the search may find an outcome
 * that is impossible. For example, a required field would be absent, although another field of the same record is
 * present.
 */
function verifyArguments(
  tool: Fitting,
  list: Decision,
  mode: PermissionMode,
  { text, heard }: { readonly text: string | undefined; readonly heard: readonly Heard[] },
): ArgumentSearch | undefined {
  // If no value fits a required argument, the tool cannot be called.
  if (text === undefined) return NONE;
  const args = canonicalizeArguments(text);
  const misfit = args.ok ? checkRecord(tool.params, args.value.value) : args.reason;
  if (!args.ok || misfit !== undefined) return { kind: "unknown", why: `the gate refuses what was found: ${misfit}` };
  // Any label would do: only floors depend on the label, and all floors are assumed to apply.
  const label = { confidentiality: 0, integrity: 0, compartments: 0n };
  const seen = { label, unattended: false, sources: assumeSources(heard) };
  const given = computeMode(assumeFloors(list), args.value.value, seen).mode;
  if (given !== mode && list.floors.length > 0) return undefined;
  if (given !== mode) bug(`arguments that should give ${mode} give ${given}: ${text}`);
  return { kind: "some", arguments: args.value.text, heard };
}
