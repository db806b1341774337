// Exports a page's policy to a foreign engine or agent. The export never allows a call that the page does not allow. If
// the target cannot express a rule, the export refuses its calls, or reports a loss.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { exportTo } from "./agents/agent.ts";
import { claude } from "./agents/claude.ts";
import { codex } from "./agents/codex.ts";
import { gemini } from "./agents/gemini.ts";
import { exportCedar } from "./cedar/cedar.ts";
import { exportRego } from "./rego/rego.ts";
import type { ExportResult, Target } from "./target.ts";

/**
 * Exports a policy. `place` is used only for targets in `ONE_PLACE`. It must name a row of the tables, such as
 * `operator` or `operator.triage.look`.
 */
export function exportPolicy(tables: IndexedTables, target: Target, place: string): ExportResult {
  switch (target) {
    case "cedar":
      return exportCedar(tables);
    case "rego":
      return exportRego(tables);
    case "claude":
      return exportTo(claude, tables, place);
    case "codex":
      return exportTo(codex, tables, place);
    case "gemini":
      return exportTo(gemini, tables, place);
  }
}
