// Decides one call as the gate does: by the tables, and by the grant of the tool's service.

import { type Call, type Conversation, type Decision, decide, type IndexedTables } from "../policy/index.ts";
import { resolveToolTarget } from "./tool.ts";

/**
 * Returns the decision of the tables. If the tables allow the call behind some gate, but the page's grant does not cover the call's server or
 * method, returns a refusal. No line of the page decides such a refusal, so it has neither mode nor rule.
 */
export function decideAtGate(tables: IndexedTables, conversation: Conversation, call: Call): Decision {
  const decision = decide(tables, conversation, call);
  const reason = explainOutside(tables, decision);
  return reason === undefined ? decision : { kind: "refused", outcome: "refusedByPolicy", reason };
}

/** Returns whether the page's grant is the reason for which the gate refuses a call. */
export function isOutsideGrant(tables: IndexedTables, conversation: Conversation, call: Call): boolean {
  return explainOutside(tables, decide(tables, conversation, call)) !== undefined;
}

function explainOutside(tables: IndexedTables, decision: Decision): string | undefined {
  const tool = decision.kind === "gated" ? tables.tools[decision.tool] : undefined;
  if (decision.kind === "refused" || tool === undefined) return undefined;
  const target = resolveToolTarget(tool, decision.arguments);
  return target?.ok === false ? target.reason : undefined;
}
