// Builds the list of decisions. Each decision has the lines that make it, and several cells may share it.

import { FIRST_DECISION, SUPPRESSED, UNCOVERED } from "../../../../engine/lib/policy/index.ts";
import type { Subject } from "../subject.ts";
import { describeCell } from "./cells.ts";
import type { PlaceView, Sources } from "./sources.ts";

interface DecisionView {
  readonly anchor: string;
  readonly kind: string;
  readonly words: string;
  readonly cells: number;
  readonly lines: readonly RuleView[];
}

export interface RuleView {
  readonly words: string;
  readonly place: PlaceView;
}

interface DecisionsView {
  readonly decisions: readonly DecisionView[];
  readonly suppressed: number;
  readonly uncovered: number;
}

export function buildDecisionsView({ tables }: Subject, sources: Sources): DecisionsView {
  const counts = new Map<number, number>();
  for (const { cells } of tables.rows) for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const decisions = tables.decisions.map(({ clauses, floors }, index) => {
    const rules = [...new Set([...clauses, ...floors].map(({ rule }) => rule))];
    return {
      ...describeCell(tables.decisions, index + FIRST_DECISION),
      cells: counts.get(index + FIRST_DECISION) ?? 0,
      lines: rules.map((rule) => buildRuleView(tables.rules[rule], sources)),
    };
  });
  return { decisions, suppressed: counts.get(SUPPRESSED) ?? 0, uncovered: counts.get(UNCOVERED) ?? 0 };
}

export function buildRuleView(rule: Subject["tables"]["rules"][number] | undefined, sources: Sources): RuleView {
  return { words: rule?.words ?? "", place: sources.place(rule?.place ?? "") };
}
