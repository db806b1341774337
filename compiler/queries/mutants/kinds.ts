/** What was changed: the mode of cells, a condition, a tool that was not there, or what stands around the cells. */
export const MUTANT_KINDS = ["mode", "condition", "absence", "floor", "release", "quota", "gate"] as const;
/** One of them. */
export type MutantKind = (typeof MUTANT_KINDS)[number];
