import type { Clause, Condition, Decision, Floor } from "../wire/generated/policy.ts";

/**
 * Returns the clauses of a list, and then its floors. A list with one truth value for each clause and floor has the
 * same order.
 */
export function listLines({ clauses, floors }: Pick<Decision, "clauses" | "floors">): readonly (Clause | Floor)[] {
  return [...clauses, ...floors];
}

/** Returns the conditions of all lines of a list. */
export function listConditions(list: Pick<Decision, "clauses" | "floors">): readonly Condition[] {
  return listLines(list).flatMap(({ conditions }) => conditions);
}
