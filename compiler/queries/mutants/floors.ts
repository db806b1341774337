import { FIRST_DECISION, renderCondition } from "../../../engine/lib/policy/index.ts";
import type { Decision as DecisionList, Floor } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { computeBehaviour } from "./behaviour.ts";
import { getLine, type Mutant, type Original, replaceLists } from "./mutant.ts";

/** A change that can be made to any floor. `replace` returns the floors that take the place of a floor, or none. */
interface FloorChange {
  readonly change: string;
  readonly replace: (floor: Floor) => readonly Floor[];
}

const CHANGES: readonly FloorChange[] = [
  { change: "dropped", replace: () => [] },
  { change: "as if its condition always held", replace: (floor) => [{ ...floor, conditions: [] }] },
];

/**
 * Returns mutants with a changed floor: one for each changed line in each row. It omits a mutant if no decision
 * changes, because other lines already require the same or a stricter mode.
 */
export function createFloorMutants(original: Original): readonly Mutant[] {
  const changes = [...CHANGES, ...listDroppedConditions(original)];
  return changes.flatMap((change) => createMutantsOfChange(original, change));
}

/**
 * Returns a change for each condition of a floor with several conditions: without the condition, the floor applies to
 * more calls.
 */
function listDroppedConditions({ tables }: Original): readonly FloorChange[] {
  const floors = new Map(tables.decisions.flatMap((list) => list.floors.map((floor) => [floor.rule, floor] as const)));
  return [...floors.values()]
    .filter(({ conditions }) => conditions.length > 1)
    .flatMap(({ rule, conditions }) =>
      conditions.map((condition, index): FloorChange => {
        const drop = (floor: Floor) => ({ ...floor, conditions: floor.conditions.toSpliced(index, 1) });
        return {
          change: `without its condition ${renderCondition(condition)}`,
          replace: (floor) => [floor.rule === rule ? drop(floor) : floor],
        };
      }),
    );
}

function createMutantsOfChange(original: Original, { change, replace }: FloorChange): readonly Mutant[] {
  const { tables } = original;
  const changed = tables.decisions.map((list) => findChangedRules(list, replace));
  return tables.rows.flatMap(({ cells }, index) => {
    const found = cells.map((cell) => changed[cell - FIRST_DECISION] ?? []);
    const rules = [...new Set(found.flat())].sort((left, right) => left - right);
    return rules.map((rule): Mutant => {
      const tools = [...found.keys()].filter((tool) => found[tool]?.includes(rule));
      const changeFloor = (cell: number) =>
        replaceFloor(tables.decisions[cell - FIRST_DECISION] ?? bug(`no decision ${cell}`), rule, replace);
      const mutated = replaceLists(tables, index, tools, changeFloor);
      const line = getLine(original, rule);
      return { kind: "floor", change, line, rows: [index], tools, reach: "calls", tables: mutated };
    });
  });
}

/** Returns the rules of the floors whose change alters some decision of the list. */
function findChangedRules(list: DecisionList, replace: FloorChange["replace"]): readonly number[] {
  const rules = [...new Set(list.floors.map(({ rule }) => rule))];
  const before = computeBehaviour(list, list);
  return rules.filter((rule) => computeBehaviour(replaceFloor(list, rule, replace), list) !== before);
}

function replaceFloor(list: DecisionList, rule: number, replace: FloorChange["replace"]): DecisionList {
  return { ...list, floors: list.floors.flatMap((floor) => (floor.rule === rule ? replace(floor) : floor)) };
}
