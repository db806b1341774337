// Renders one cell of the matrix. The cell shows all modes that the decision may have, from the loosest to the
// strictest.

import { FIRST_DECISION, isStricter, type PermissionMode, SUPPRESSED } from "../../../../engine/lib/policy/index.ts";
import type { Decision } from "../../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../../lang/grammar/index.ts";
import { type Reach, reachOfList } from "../../../phases/policy/index.ts";
import { chooseStrictest as strictestOf } from "../../../phases/prove/index.ts";

export interface CellWords {
  /** The loosest mode; `none` if the tool cannot be called there. */
  readonly kind: PermissionMode | "none";
  readonly words: string;
  /** Anchor of the entry in the list of decisions. It begins with the kind, which styles and the filter use. */
  readonly anchor: string;
}

/** Returns the text of a cell. `cell` is the cell's number in the tables. */
export function describeCell(decisions: readonly Decision[], cell: number): CellWords {
  const list = decisions[cell - FIRST_DECISION];
  if (list === undefined)
    return { kind: "none", words: "–", anchor: cell === SUPPRESSED ? "none-suppressed" : "none-uncovered" };
  const { loosest } = computeReach(list);
  return { kind: loosest, words: listModes(list).join(" ▸ "), anchor: `${loosest}-${cell - FIRST_DECISION}` };
}

/**
 * Returns the loosest and the strictest mode of a decision. The arguments select an outcome of the rules. The label of
 * the conversation adds floors (minimum modes).
 */
export function computeReach({ clauses, floors }: Decision): Reach {
  const reach = reachOfList(clauses);
  return { loosest: reach.loosest, strictest: strictestOf([reach.strictest, ...floors.map(({ mode }) => mode)]) };
}

/** Returns the modes of rules and floors, except for modes that are looser than every possible result. */
function listModes(list: Decision): readonly PermissionMode[] {
  const { loosest } = computeReach(list);
  const brought = new Set([
    ...list.clauses.flatMap(({ conditions, met, otherwise }) => (conditions.length === 0 ? [met] : [met, otherwise])),
    ...list.floors.map(({ mode }) => mode),
  ]);
  return MODES.filter((mode) => brought.has(mode) && !isStricter(loosest, mode));
}
