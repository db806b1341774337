import { FIRST_DECISION } from "../../../../engine/lib/policy/index.ts";
import type { DeadCell, DeadReason } from "../../../phases/prove/index.ts";
import { defineLaw, type ProvenPage } from "../../support/index.ts";
import { deadAuthority } from "./codes.ts";

/**
 * Reports rules that allow calls which no conversation can make. A rule is dead if no conversation can use any
 * permission that it gives.
 */
export const rule = defineLaw({
  reports: [deadAuthority],
  check: ({ proven, trees }, report) => {
    if (proven === undefined || proven.dead.length === 0) return;
    const own = new Set(trees.map(({ source }) => source));
    for (const [rule, cells] of groupDeadByRule(proven)) {
      const span = proven.rules[rule];
      const [first] = cells;
      if (span === undefined || first === undefined || !own.has(span.source)) continue;
      const tools = [...new Set(cells.map(({ tool }) => proven.tables.tools[tool]?.name ?? ""))];
      const line = proven.tables.rules[rule]?.words ?? "";
      const { kind } = first.why;
      report(
        deadAuthority.at(span, { line, tools, why: WHY[kind], ...(kind === "arguments" && { help: CONDITIONS }) }),
      );
    }
  },
});

const WHY = {
  result: "may return data above the clearance, so the call is refused before its effect",
  flow: "must not receive the data that every conversation there has read",
  release: "must not receive the data that every conversation there has read, and no release covers that",
  floor: "is forbidden by a floor that always holds",
  arguments: "takes no arguments that meet its conditions",
} as const satisfies Record<DeadReason["kind"], string>;

const CONDITIONS = "correct the condition, also that of a line around this one, or write `forbidden`";

/** Returns the rules that allow calls and whose permissions are all dead, each with these permissions. */
function groupDeadByRule({ tables, dead }: ProvenPage): ReadonlyMap<number, readonly DeadCell[]> {
  const cells = new Map<number, DeadCell[]>();
  const alive = new Set<number>();
  const deadAt = new Map(dead.map((cell) => [cell.row * tables.tools.length + cell.tool, cell]));
  const rules = tables.decisions.map(({ clauses }) =>
    clauses
      .filter(({ met, otherwise }) => met !== "forbidden" || otherwise !== "forbidden")
      .map((clause) => clause.rule),
  );
  for (const [row, { cells: decided }] of tables.rows.entries()) {
    for (const [tool, cell] of decided.entries()) {
      const found = deadAt.get(row * tables.tools.length + tool);
      for (const rule of rules[cell - FIRST_DECISION] ?? []) {
        const before = cells.get(rule);
        if (found === undefined) alive.add(rule);
        else if (before === undefined) cells.set(rule, [found]);
        else before.push(found);
      }
    }
  }
  return new Map([...cells].filter(([rule]) => !alive.has(rule)));
}
