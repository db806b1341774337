import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { LAWS } from "./laws.ts";
import type { Page } from "./support/law.ts";

/** Returns all findings of all laws. No finding stops another: each law examines the whole page. */
export function check(page: Page): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const law of Object.values(LAWS)) law.check(page, (diagnostic) => found.push(diagnostic));
  return found;
}
