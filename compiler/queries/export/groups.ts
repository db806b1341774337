// Groups the lines of a decision for an export to another engine. In a group, a matching line does not count if another
// matching line has all its conditions and more. The strictest line that counts decides. A group also has a mode for
// calls that no line matches.

import { isStricter, type PermissionMode, planGroups } from "../../../engine/lib/policy/index.ts";
import type { Clause, Condition } from "../../../engine/lib/wire/generated/policy.ts";

export interface ExportedGroup {
  readonly lines: readonly ExportedLine[];
  /** Mode of a call that no line of the group matches. */
  readonly unmatched: PermissionMode;
}

interface ExportedLine {
  /** The conditions of the line; at least one. */
  readonly conditions: readonly Condition[];
  readonly met: PermissionMode;
  /**
   * Indexes of lines that have all conditions of this line and more. If one of these lines matches, this line does not
   * count.
   */
  readonly above: readonly number[];
}

/**
 * Groups the lines of a decision. In a group, a matching line counts only if no more specific line matches, and the
 * strictest line that counts decides. If groups give a call different modes, the strictest mode counts.
 */
export function collectExportedGroups(clauses: readonly Clause[]): readonly ExportedGroup[] {
  return planGroups(clauses).map(({ sets, plain }) => {
    const pick = (members: readonly number[]) => members.flatMap((at) => clauses[at] ?? []);
    const lines = sets.map(({ members, above }): ExportedLine => {
      const own = pick(members);
      return { conditions: own[0]?.conditions ?? [], met: chooseStrictest(own.map(({ met }) => met)), above };
    });
    const unmet = pick(sets.flatMap(({ members }) => members)).map(({ otherwise }) => otherwise);
    return { lines, unmatched: chooseStrictest(plain.length > 0 ? pick(plain).map(({ met }) => met) : unmet) };
  });
}

function chooseStrictest(modes: readonly PermissionMode[]): PermissionMode {
  return modes.reduce((strictest, mode) => (isStricter(mode, strictest) ? mode : strictest), "auto");
}
