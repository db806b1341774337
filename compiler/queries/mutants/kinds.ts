/**
 * Kinds of change: the mode of cells, a condition, a missing tool that exists, a change outside of cells, or a required
 * task.
 */
export const MUTANT_KINDS = ["mode", "condition", "absence", "floor", "release", "quota", "gate", "task"] as const;
/** Kind of a mutant. */
export type MutantKind = (typeof MUTANT_KINDS)[number];
