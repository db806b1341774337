import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import type { Page } from "../check/index.ts";
import { ADVICE } from "./rules.ts";

/** Advice about a page. It stops nothing: a policy is made with or without it. */
export function lint(page: Page): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const advice of Object.values(ADVICE)) advice.check(page, (diagnostic) => found.push(diagnostic));
  return found;
}
