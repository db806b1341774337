// Enumerates the modes that the floors of two cells require in every kind of conversation that these floors
// distinguish.

import { isMet, type Label, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Floor } from "../../../engine/lib/wire/generated/policy.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { chooseStrictest } from "../../phases/prove/index.ts";

/** The label of a conversation, and whether it is unattended: floors depend on both. */
export interface Situation {
  readonly label: Label;
  readonly unattended: boolean;
}

/** A situation with the modes that the floors of the old and of the new cell require in it. */
export interface FloorOutcome extends Situation {
  /** Mode that the old floors without conditions on arguments require; `after` is the mode of the new ones. */
  readonly before: PermissionMode;
  readonly after: PermissionMode;
  /** Old and new floors with conditions on arguments. They require a stricter mode for some arguments. */
  readonly asking: { readonly before: readonly Floor[]; readonly after: readonly Floor[] };
}

/** Maximum number of sets of compartments to examine. */
const MOST_SETS = 64;

/**
 * Returns the different situations, each with the simplest conversation that leads to it. Two situations differ if the
 * floors without conditions on arguments require different modes in them, or if different floors with such conditions
 * apply in them. Every conversation has at least the label `starts`. `complete` is false if some situations are left out.
 */
export function enumerateSituations(
  before: readonly Floor[],
  after: readonly Floor[],
  starts: Label,
): { readonly situations: readonly FloorOutcome[]; readonly complete: boolean } {
  const all = [...before, ...after];
  const levels = sortAscending([
    starts.confidentiality,
    ...all.map(({ confidentialityAtLeast }) => confidentialityAtLeast),
  ]);
  const trusts = sortAscending([starts.integrity, ...all.map(({ integrityAtMost }) => integrityAtMost)]).reverse();
  const { sets, complete } = enumerateUnions(
    all.map(({ compartments }) => compartments),
    starts.compartments,
  );
  const found = new Map<string, FloorOutcome>();
  for (const unattended of all.some((floor) => floor.unattended) ? [false, true] : [false]) {
    for (const confidentiality of levels.filter((level) => level >= starts.confidentiality)) {
      for (const integrity of trusts.filter((trust) => trust <= starts.integrity)) {
        for (const compartments of sets) {
          const label = { confidentiality, integrity, compartments };
          const [old, now] = [before, after].map((floors) => splitMetFloors(floors, { label, unattended }));
          if (old === undefined || now === undefined) continue;
          const asking = { before: old.asking, after: now.asking };
          const floored = { label, unattended, before: old.mode, after: now.mode, asking };
          const indexes = [...old.asking, ...now.asking].map((floor) => all.indexOf(floor));
          const key = `${floored.before} ${floored.after} ${indexes}`;
          if (!found.has(key)) found.set(key, floored);
        }
      }
    }
  }
  return { situations: [...found.values()], complete };
}

/**
 * Returns the mode that the floors without conditions on arguments require in the situation, and the floors with
 * conditions on arguments that apply in it.
 */
function splitMetFloors(floors: readonly Floor[], situation: Situation) {
  const met = floors.filter((floor) => isMet(floor, situation));
  const plain = met.filter(({ conditions }) => conditions.length === 0);
  return {
    mode: chooseStrictest(plain.map(({ mode }) => mode)),
    asking: met.filter(({ conditions }) => conditions.length > 0),
  };
}

function sortAscending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}

/** Returns every union of the sets, the small ones first. */
function enumerateUnions(asked: readonly bigint[], starts: bigint): { sets: readonly bigint[]; complete: boolean } {
  const sets = new Set([starts]);
  let complete = true;
  for (const set of new Set(asked)) {
    for (const known of [...sets]) {
      if (sets.size < MOST_SETS) sets.add(known | set);
      else complete &&= sets.has(known | set);
    }
  }
  const countMembers = (set: bigint) => set.toString(2).replaceAll("0", "").length;
  const formatSet = (set: bigint) => set.toString(16).padStart(16, "0");
  const sorted = [...sets].sort(
    (one, other) => countMembers(one) - countMembers(other) || compareCodeUnits(formatSet(one), formatSet(other)),
  );
  return { sets: sorted, complete };
}
