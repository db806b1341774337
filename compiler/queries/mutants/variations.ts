import { type PermissionMode, renderCondition } from "../../../engine/lib/policy/index.ts";
import type { Clause, Decision as DecisionList } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { computeBehaviour } from "./behaviour.ts";

/** A decision list that differs from the original list in one clause, and decides differently in at least one case. */
interface Variation {
  readonly kind: "mode" | "condition";
  readonly change: string;
  /** Rule of the clause, as an index into the rules of the tables. */
  readonly rule: number;
  readonly list: DecisionList;
}

/** Returns the variations of a list. If several changes lead to the same behaviour, returns only the first of them. */
export function createVariations(list: DecisionList): readonly Variation[] {
  const known = new Set([computeBehaviour(list, list)]);
  return list.clauses.flatMap((clause, index) =>
    createChanges(clause).flatMap(({ to, ...how }): Variation[] => {
      const varied = { ...list, clauses: list.clauses.with(index, to) };
      const behaviour = computeBehaviour(varied, list);
      if (known.has(behaviour)) return [];
      known.add(behaviour);
      return [{ ...how, rule: clause.rule, list: varied }];
    }),
  );
}

interface Change {
  readonly kind: Variation["kind"];
  readonly change: string;
  readonly to: Clause;
}

function createChanges(clause: Clause): readonly Change[] {
  const { conditions, met, otherwise } = clause;
  if (conditions.length === 0) {
    return listAdjacentModes(met).map((mode) =>
      makeModeChange(mode, met, "", { ...clause, met: mode, otherwise: mode }),
    );
  }
  return [
    { kind: "condition", change: "as if its condition always held", to: { ...clause, conditions: [], otherwise: met } },
    { kind: "condition", change: "with its two outcomes swapped", to: { ...clause, met: otherwise, otherwise: met } },
    ...dropEachCondition(clause),
    ...listAdjacentModes(met).map((mode) =>
      makeModeChange(mode, met, " where its condition holds", { ...clause, met: mode }),
    ),
    ...listAdjacentModes(otherwise).map((mode) =>
      makeModeChange(mode, otherwise, " where it fails", { ...clause, otherwise: mode }),
    ),
  ];
}

function makeModeChange(mode: PermissionMode, before: PermissionMode, where: string, to: Clause): Change {
  return { kind: "mode", change: `${mode} instead of ${before}${where}`, to };
}

/** Returns a change for each condition of a clause with several conditions: the clause without this condition. */
function dropEachCondition(clause: Clause): readonly Change[] {
  if (clause.conditions.length < 2) return [];
  return clause.conditions.map((condition, index) => ({
    kind: "condition",
    change: `without its condition ${renderCondition(condition)}`,
    to: { ...clause, conditions: clause.conditions.toSpliced(index, 1) },
  }));
}

/** Returns the next looser and the next stricter mode. */
export function listAdjacentModes(mode: PermissionMode): readonly PermissionMode[] {
  const rank = MODES.indexOf(mode);
  return MODES.filter((_, index) => Math.abs(index - rank) === 1);
}
