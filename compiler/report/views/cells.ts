// What one cell of the matrix says: the loosest that may decide, and the strictest where the two differ.

import { FIRST_DECISION, type PermissionMode, SUPPRESSED } from "../../../engine/policy/index.ts";
import type { Decision } from "../../../engine/wire/generated/policy.ts";
import { type Reach, reachOf } from "../../policy/index.ts";
import { strictest as strictestOf } from "../../prove/index.ts";

export interface CellWords {
  /** The loosest; `none`: nobody can call it there. */
  readonly kind: PermissionMode | "none";
  readonly words: string;
  /** Of the entry in the list of decisions. */
  readonly anchor: string;
}

/** `cell`: as tables have it. */
export function cellWords(decisions: readonly Decision[], cell: number): CellWords {
  const list = decisions[cell - FIRST_DECISION];
  if (list === undefined)
    return { kind: "none", words: "–", anchor: cell === SUPPRESSED ? "d-suppressed" : "d-uncovered" };
  const { loosest, strictest } = rangeOf(list);
  const words = loosest === strictest ? loosest : `${loosest} ▸ ${strictest}`;
  return { kind: loosest, words, anchor: `d${cell - FIRST_DECISION}` };
}

/** Arguments choose between outcomes of lines, and what a conversation has seen brings floors. */
export function rangeOf({ clauses, floors }: Decision): Reach {
  const outcomes = clauses.map(({ conditions, met, otherwise }) => {
    return { met, otherwise: conditions.length === 0 ? undefined : otherwise };
  });
  const reach = reachOf(outcomes);
  return { loosest: reach.loosest, strictest: strictestOf([reach.strictest, ...floors.map(({ mode }) => mode)]) };
}
