import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { LAWS } from "./laws.ts";
import type { Page } from "./support/law.ts";

/** All findings of all laws. Nothing is stopped by a find: each law looks at the whole page. */
export function check(page: Page): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const law of Object.values(LAWS)) law.check(page, (diagnostic) => found.push(diagnostic));
  return found;
}
