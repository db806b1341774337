/** Kinds of change: the mode of cells, a condition, a tool that was absent, something around the cells, or that a task is required. */
export const MUTANT_KINDS = ["mode", "condition", "absence", "floor", "release", "quota", "gate", "task"] as const;
/** Kind of a mutant. */
export type MutantKind = (typeof MUTANT_KINDS)[number];
