/**
 * Kinds of change: a mode, a condition, the absence of a tool, a floor (minimum mode), a release, a quota, a gate, or
 * the requirement of a task.
 */
export const MUTANT_KINDS = ["mode", "condition", "absence", "floor", "release", "quota", "gate", "task"] as const;
/** Kind of a mutant. */
export type MutantKind = (typeof MUTANT_KINDS)[number];
