import { FIRST_DECISION } from "../../../engine/lib/policy/index.ts";
import type { Decision as DecisionList } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { computeBehaviour } from "./behaviour.ts";
import { getLine, type Mutant, type Original, replaceLists } from "./mutant.ts";

/** Floors dropped, each line once in each row; only cells where the other lines do not ask for as much already. */
export function createFloorMutants(original: Original): readonly Mutant[] {
  const { tables } = original;
  const raised = tables.decisions.map(findRaisingRules);
  return tables.rows.flatMap(({ cells }, index) => {
    const raising = cells.map((cell) => raised[cell - FIRST_DECISION] ?? []);
    const rules = [...new Set(raising.flat())].sort((left, right) => left - right);
    return rules.map((rule): Mutant => {
      const tools = [...raising.keys()].filter((tool) => raising[tool]?.includes(rule));
      const dropFloor = (cell: number) =>
        removeFloor(tables.decisions[cell - FIRST_DECISION] ?? bug(`no decision ${cell}`), rule);
      const changed = replaceLists(tables, index, tools, dropFloor);
      const line = getLine(original, rule);
      return { kind: "floor", change: "dropped", line, rows: [index], tools, reach: "calls", tables: changed };
    });
  });
}

/** Rules of the floors without which the list would decide otherwise somewhere. */
function findRaisingRules(list: DecisionList): readonly number[] {
  const rules = [...new Set(list.floors.map(({ rule }) => rule))];
  const before = computeBehaviour(list, list);
  return rules.filter((rule) => computeBehaviour(removeFloor(list, rule), list) !== before);
}

function removeFloor(list: DecisionList, rule: number): DecisionList {
  return { ...list, floors: list.floors.filter((floor) => floor.rule !== rule) };
}
