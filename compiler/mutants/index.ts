export { MUTANT_KINDS, type Mutant, type MutantKind } from "./mutant.ts";
export { type Guards, type Judged, mutantsOf, surveyMutants } from "./survey.ts";
