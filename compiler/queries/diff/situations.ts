// The floors of two cells beside each other: what they ask for in every conversation that they can tell from another one.

import { isMet, type Label, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Floor } from "../../../engine/lib/wire/generated/policy.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { chooseStrictest } from "../../phases/prove/index.ts";

/** A conversation as far as floors see it. */
export interface Situation {
  readonly label: Label;
  readonly unattended: boolean;
}

/** A situation with the modes that the floors of both cells require in it. */
export interface FloorOutcome extends Situation {
  /** Mode that the floors without conditions ask of all arguments. */
  readonly before: PermissionMode;
  readonly after: PermissionMode;
  /** Floors with conditions, which ask for more from some arguments. */
  readonly asking: { readonly before: readonly Floor[]; readonly after: readonly Floor[] };
}

/** Sets of compartments that are looked at: as many as four sets that have nothing in common make. */
const MOST_SETS = 64;

/**
 * Each pair of modes that floors ask for together, and each set of floors that ask of some arguments, with the plainest conversation in which they do; all of them have seen at
 * least what `starts` says. `complete` where none is left out.
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

/** Returns what floors that are met ask for of all arguments, and those that ask for more of some. */
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
