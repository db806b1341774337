// Returns a plan for programs, in the form that `capc schema plan` describes.

import { changeAsJson, sideAsJson } from "../diff/json.ts";
import type { PlanReport } from "./plan-report.ts";

/** Returns the JSON value that `capc plan --json` prints. */
export function convertPlanToJson({ against, ...plan }: PlanReport): object {
  if (against === null) return { ...plan, against };
  const { build, changes } = against;
  return { ...plan, against: { ...against, build: sideAsJson(build), changes: changes.map(changeAsJson) } };
}
