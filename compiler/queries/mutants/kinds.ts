/** Kinds of change: the mode of cells, a condition, a tool that was absent, or something outside the cells. */
export const MUTANT_KINDS = ["mode", "condition", "absence", "floor", "release", "quota", "gate"] as const;
/** Kind of a mutant. */
export type MutantKind = (typeof MUTANT_KINDS)[number];
