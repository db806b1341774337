/**
 * Kinds of change in a mutant: a mode, a condition, the absence of a tool, another property than decisions, or the
 * requirement of a task.
 */
export const MUTANT_KINDS = ["mode", "condition", "absence", "floor", "release", "quota", "gate", "task"] as const;
/** Kind of a mutant. */
export type MutantKind = (typeof MUTANT_KINDS)[number];
