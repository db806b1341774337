export { createMutants, isNoticed, type Judged, surveyMutants } from "./survey.ts";
