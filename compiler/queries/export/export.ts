// A page's policy in the words of somebody else's engine or agent. It never lets a call through that the page does not; what
// the target cannot say is refused there, or named as a loss.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { exportTo } from "./agents/agent.ts";
import { claude } from "./agents/claude.ts";
import { codex } from "./agents/codex.ts";
import { gemini } from "./agents/gemini.ts";
import { exportCedar } from "./cedar/cedar.ts";
import { exportRego } from "./rego/rego.ts";
import type { ExportResult, Target } from "./target.ts";

/** Exports a policy. `place` counts for targets of `ONE_PLACE`, and is one of the tables: `operator`, `operator.triage.look`. */
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
