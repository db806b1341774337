import { FIRST_DECISION, SUPPRESSED, UNCOVERED } from "../../../engine/lib/policy/index.ts";
import type { Decision } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import {
  type Answer,
  computeAnswers,
  encodeDecision,
  enumeratePlaces,
  resolveSessions,
} from "../../phases/policy/index.ts";
import { getLine, type Mutant, type Original } from "./mutant.ts";

/**
 * Returns a mutant for each line that requires a task. In the mutant, the session's other lines decide outside of
 * tasks. The tables do not contain these decisions, so they are computed from the page.
 */
export function createRequirementMutants(original: Original): readonly Mutant[] {
  const { tables } = original;
  const closed = [...tables.rows.keys()].filter((index) => tables.rows[index]?.requiresTask);
  const byLine = Map.groupBy(closed, (index) => tables.rows[index]?.taskRule ?? 0);
  return [...byLine].map(([rule, rows]): Mutant => {
    const changed = openRows(original, rows);
    const tools = [...tables.tools.keys()].filter((tool) => rows.some((row) => isCovered(original, row, tool)));
    const line = getLine(original, rule);
    return { kind: "task", change: "dropped", line, rows, tools, reach: "conversations", tables: changed };
  });
}

function isCovered({ tables }: Original, row: number, tool: number): boolean {
  return (tables.rows[row]?.cells[tool] ?? 0) >= FIRST_DECISION;
}

/** Returns the tables with the decisions that the lines of the page give in the rows `indexes`. */
function openRows({ tables, model }: Original, indexes: readonly number[]): Mutant["tables"] {
  const resolution = resolveSessions(model);
  const places = enumeratePlaces(model);
  const rules = new Map(tables.rules.map(({ id }, index) => [id, index]));
  const decisions = [...tables.decisions];
  const cellOf = (answer: Answer): number => {
    if (answer.suppressed) return SUPPRESSED;
    if (answer.clauses.length === 0) return UNCOVERED;
    return FIRST_DECISION + decisions.push(encode(answer)) - 1;
  };
  // The original tables list only the rules that some row uses. A line that decides in no original cell is not listed,
  // so the mutant uses the index 0 for it. This is harmless, because the text of a mutant's rules is never shown.
  const encode = (answer: Answer): Decision => encodeDecision(answer, (id) => rules.get(id) ?? 0);
  const rows = tables.rows.map((row, index) => {
    if (!indexes.includes(index)) return row;
    const answers = computeAnswers(model, resolution, places[index] ?? bug(`no place for row ${index}`));
    return { ...row, requiresTask: false, taskRule: 0, cells: answers.map(cellOf) };
  });
  return { ...tables, rows, decisions };
}
