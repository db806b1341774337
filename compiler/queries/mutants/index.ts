export { createMutants, isNoticed, type MutantVerdict, surveyMutants } from "./survey.ts";
