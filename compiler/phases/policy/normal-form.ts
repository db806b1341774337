// Renders decision lists without rule numbers and in one order. So two lists with the same meaning for gates are equal,
// even if they come from different lines.

import type { Clause } from "../../../engine/lib/wire/generated/policy.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { serializeValue } from "./clauses.ts";

/** A clause without its rule. */
export type NormalizedClause = Omit<Clause, "rule" | "group"> & {
  /**
   * Number of the group of the clause: of its clauses that match a call, only the most specific ones decide. Absent if
   * the group has no other clause.
   */
  readonly group?: number;
};

/**
 * Sorts items and removes duplicates. Sorting and removing duplicates do not change the meaning, because the strictest
 * item decides.
 */
export function sortUnique<T>(items: readonly T[]): readonly T[] {
  const byText = new Map(items.map((item) => [serializeValue(item), item]));
  return [...byText].sort(([one], [other]) => compareCodeUnits(one, other)).map(([, item]) => item);
}

/**
 * Returns the clauses, group after group; the order of the groups is that of their texts. If a group has more than one
 * clause, its clauses get its number.
 */
export function normalizeClauses(clauses: readonly Clause[]): readonly NormalizedClause[] {
  const groups = normalizeGroups(clauses);
  const grouped = groups.filter(({ length }) => length > 1);
  return groups.flatMap((group) =>
    group.length === 1 ? group : group.map((clause) => ({ ...clause, group: grouped.indexOf(group) + 1 })),
  );
}

/** Returns the groups of clauses, each group once. The clauses have no group numbers. */
export function normalizeGroups(clauses: readonly Clause[]): readonly (readonly NormalizedClause[])[] {
  const groups = Map.groupBy(clauses, (clause) => clause.group || clause);
  return sortUnique([...groups.values()].map((group) => sortUnique(group.map(normalizeClause))));
}

/** Returns the clause in normal form. Without conditions the `otherwise` mode is never reached, so `met` replaces it. */
export function normalizeClause({ conditions, met, otherwise }: Clause): NormalizedClause {
  return { conditions: sortUnique(conditions), met, otherwise: conditions.length === 0 ? met : otherwise };
}
