// Returns a plan for programs, in the form that `capc schema plan` describes.

import { changeAsJson } from "../diff/json.ts";
import type { PlanReport } from "./plan-report.ts";

/** Returns a value for `JSON.stringify`. */
export function convertPlanToJson({ against, ...plan }: PlanReport): object {
  return { ...plan, against: against && { ...against, changes: against.changes.map(changeAsJson) } };
}
