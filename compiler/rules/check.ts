import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { LAWS } from "./laws.ts";
import type { Page } from "./support/law.ts";

/** Returns all findings of all laws. Each law examines the whole page, even if other laws have findings. */
export function check(page: Page): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const law of Object.values(LAWS)) law.check(page, (diagnostic) => found.push(diagnostic));
  return found;
}
