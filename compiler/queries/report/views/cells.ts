// Builds the text of a cell of the matrix: each mode that a call may get there, the loosest first.

import { FIRST_DECISION, isStricter, type PermissionMode, SUPPRESSED } from "../../../../engine/lib/policy/index.ts";
import type { Decision } from "../../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../../lang/grammar/index.ts";
import { type Reach, reachOfList } from "../../../phases/policy/index.ts";
import { chooseStrictest as strictestOf } from "../../../phases/prove/index.ts";

export interface CellWords {
  /** The loosest mode of the cell; `none` if no call of the tool can run in the cell's place. */
  readonly kind: PermissionMode | "none";
  readonly words: string;
  /**
   * Anchor of the entry in the list of decisions. It begins with the cell's kind, which the styles and the filter read
   * from the anchor.
   */
  readonly anchor: string;
}

/** Returns the words of a cell. `cell` is the number of the cell's decision in the tables. */
export function describeCell(decisions: readonly Decision[], cell: number): CellWords {
  const list = decisions[cell - FIRST_DECISION];
  if (list === undefined)
    return { kind: "none", words: "–", anchor: cell === SUPPRESSED ? "none-suppressed" : "none-uncovered" };
  const { loosest } = computeReach(list);
  return { kind: loosest, words: listModes(list).join(" ▸ "), anchor: `${loosest}-${cell - FIRST_DECISION}` };
}

/**
 * Returns the loosest and the strictest mode of a decision. They can differ because arguments select outcomes of lines,
 * and the conversation's label adds floors.
 */
export function computeReach({ clauses, floors }: Decision): Reach {
  const reach = reachOfList(clauses);
  return { loosest: reach.loosest, strictest: strictestOf([reach.strictest, ...floors.map(({ mode }) => mode)]) };
}

/** Returns the modes that clauses and floors can cause, without modes that are looser than every possible decision. */
function listModes(list: Decision): readonly PermissionMode[] {
  const { loosest } = computeReach(list);
  const brought = new Set([
    ...list.clauses.flatMap(({ conditions, met, otherwise }) => (conditions.length === 0 ? [met] : [met, otherwise])),
    ...list.floors.map(({ mode }) => mode),
  ]);
  return MODES.filter((mode) => brought.has(mode) && !isStricter(loosest, mode));
}
