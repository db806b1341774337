/**
 * Kinds of mutants, by the changed part: a mode of cells, a condition, an absent tool, a floor, a release, a quota, a
 * gate, or the requirement of a task.
 */
export const MUTANT_KINDS = ["mode", "condition", "absence", "floor", "release", "quota", "gate", "task"] as const;
/** One of the kinds of mutants. */
export type MutantKind = (typeof MUTANT_KINDS)[number];
