/**
 * Kinds of mutants, by the changed part. `mode` is the mode of cells, `absence` is an absent tool, and `task` is the requirement of a task.
 */
export const MUTANT_KINDS = ["mode", "condition", "absence", "floor", "release", "quota", "gate", "task"] as const;
/** One of the kinds of mutants. */
export type MutantKind = (typeof MUTANT_KINDS)[number];
