import { FIRST_DECISION } from "../../../engine/lib/policy/index.ts";
import type { Decision as DecisionList } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { behaviourOf } from "./behaviour.ts";
import { lineOf, type Mutant, type Original, withLists } from "./mutant.ts";

/** Floors dropped, each line once in each row; only cells where the other lines do not ask for as much already. */
export function mutantsOfFloors(original: Original): readonly Mutant[] {
  const { tables } = original;
  const raised = tables.decisions.map(raisingIn);
  return tables.rows.flatMap(({ cells }, index) => {
    const raising = cells.map((cell) => raised[cell - FIRST_DECISION] ?? []);
    const rules = [...new Set(raising.flat())].sort((left, right) => left - right);
    return rules.map((rule): Mutant => {
      const tools = [...raising.keys()].filter((tool) => raising[tool]?.includes(rule));
      const dropped = (cell: number) =>
        withoutFloor(tables.decisions[cell - FIRST_DECISION] ?? bug(`no decision ${cell}`), rule);
      const changed = withLists(tables, index, tools, dropped);
      const line = lineOf(original, rule);
      return { kind: "floor", change: "dropped", line, rows: [index], tools, reach: "calls", tables: changed };
    });
  });
}

/** Rules of the floors without which the list would decide otherwise somewhere. */
function raisingIn(list: DecisionList): readonly number[] {
  const rules = [...new Set(list.floors.map(({ rule }) => rule))];
  const before = behaviourOf(list, list);
  return rules.filter((rule) => behaviourOf(withoutFloor(list, rule), list) !== before);
}

function withoutFloor(list: DecisionList, rule: number): DecisionList {
  return { ...list, floors: list.floors.filter((floor) => floor.rule !== rule) };
}
