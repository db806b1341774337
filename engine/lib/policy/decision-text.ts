// Renders the decision about a tool in a row for a person.
import type { Condition, Decision, Row } from "../wire/generated/policy.ts";
import { renderCondition } from "./condition-text.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** Returns the decision about a tool in a row; `undefined` if the tool does not exist there. */
export function findList(tables: IndexedTables, row: Row, tool: number): Decision | undefined {
  return tables.decisions[(row.cells[tool] ?? 0) - FIRST_DECISION];
}

/** Returns a decision as text: `consent where path under "/b" else forbidden; at least stepUp if a "when" holds`. */
export function renderList(list: Decision | undefined): string {
  return list === undefined ? "unknownTool" : [...new Set(renderLines(list))].join("; ");
}

/**
 * Returns two decisions as texts. Equal lines of one decision are written once. If both texts would then be equal, all lines are written,
 * so that decisions with different numbers of lines differ.
 */
export function renderLists(one: Decision | undefined, other: Decision | undefined): readonly [string, string] {
  const [first, second] = [renderList(one), renderList(other)];
  if (first !== second || one === undefined || other === undefined) return [first, second];
  return [renderLines(one).join("; "), renderLines(other).join("; ")];
}

function renderLines({ clauses, floors }: Decision): readonly string[] {
  // If a line gives the same mode with and without its condition, the condition matters only if there are other lines, which the line may displace.
  const isAlone = clauses.length === 1;
  return [
    ...clauses.map(({ conditions, met, otherwise }) =>
      conditions.length === 0 || (isAlone && met === otherwise)
        ? met
        : `${met} where ${renderAll(conditions)} else ${otherwise}`,
    ),
    ...floors.map(
      ({ conditions, mode }) =>
        `at least ${mode} under a \`when\`${conditions.length === 0 ? "" : ` where ${renderAll(conditions)}`}`,
    ),
  ];
}

function renderAll(conditions: readonly Condition[]): string {
  return conditions.map(renderCondition).join(" and ");
}
