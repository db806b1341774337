// Computes the heads of the requests of each session, task and phase: the system prompt, and the tools that the gate
// offers there. A head has the form in which the model worker passes a request to its model. The gate does not
// advertise suppressed tools, so a head does not contain them.

import { beginIn, indexTables } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { buildToolTable } from "../../../engine/processes/gate/descriptors.ts";
import { createSystemMessage, SYSTEM_PROMPT } from "../../../engine/processes/loop/messages.ts";
import { type Piece, renderHead } from "../../../engine/processes/model/local/chat.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import { listBackends } from "../../../targets/manifest/backends.ts";

export interface Head {
  readonly pieces: readonly Piece[];
  /**
   * Names of the rows that use this head, each written "session", "session task", or "session task phase"; in the order
   * of the tables.
   */
  readonly rows: readonly string[];
}

/**
 * Returns the prompt heads of all rows in which this model may answer. Rows whose requests begin with the same bytes
 * share one prompt head.
 */
export function collectHeads(policy: Policy, model: string): readonly Head[] {
  const tables = indexTables(policy.tables);
  if (!tables.ok) return bug(`the tables of a checked policy: ${tables.reason}`);
  const heads = new Map<string, Head>();
  for (const [index, row] of policy.tables.rows.entries()) {
    const local = listBackends(policy, [row]).find((each) => each.kind === "cpu" && each.model.name === model);
    if (local?.kind !== "cpu") continue;
    const tools = local.model.callsTools ? buildToolTable(tables.value, beginIn(row, index)).tools : [];
    const pieces = renderHead([createSystemMessage(SYSTEM_PROMPT)], tools);
    const key = JSON.stringify(pieces);
    heads.set(key, { pieces, rows: [...(heads.get(key)?.rows ?? []), nameOf(row)] });
  }
  return [...heads.values()];
}

function nameOf({ session, task, phase }: Row): string {
  return [session, task, phase].filter((word) => word !== "").join(" ");
}
