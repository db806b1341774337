export { isNoticed, type Judged, mutantsOf, surveyMutants } from "./survey.ts";
