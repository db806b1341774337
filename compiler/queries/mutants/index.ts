export { MUTANT_KINDS, type MutantKind } from "./kinds.ts";
export type { Mutant } from "./mutant.ts";
export { type Guards, isNoticed, type Judged, mutantsOf, surveyMutants } from "./survey.ts";
