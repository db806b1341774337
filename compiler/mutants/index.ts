export { MUTANT_KINDS, type Mutant, type MutantKind } from "./mutant.ts";
export { type Guards, isNoticed, type Judged, mutantsOf, surveyMutants } from "./survey.ts";
