// Names the part of the page that decided a call: a line, a label, a clearance or a grant.
import { checkFlow, formatLabel, type IndexedTables, mayFlow } from "../../../lib/policy/index.ts";
import { isOutsideGrant } from "../../../lib/reach/decide-at-gate.ts";
import type { Asked } from "../memory.ts";
import { describeRule } from "../sentences.ts";

/**
 * Returns a description of the rule that decided. If a grant, a clearance or the label of a service decided instead, returns a description
 * of that.
 */
export function describeDecider(tables: IndexedTables, { conversation, call, decision }: Asked): string {
  const index = tables.toolIndex.get(call.tool) ?? -1;
  const tool = tables.tools[index];
  const row = tables.rows[conversation.row];
  if (tool === undefined || row === undefined) return describeRule(tables, decision.rule);
  if (isOutsideGrant(tables, conversation, call)) return `the grant of service ${tool.provider}`;
  const isFlow = decision.kind === "refused" && decision.mode !== undefined && decision.rule === undefined;
  if (!isFlow || checkFlow(tables, row, conversation, index).ok) return describeRule(tables, decision.rule);
  const show = (label: typeof tool.sink) => formatLabel(tables.lattice, label);
  return mayFlow(conversation.label, tool.sink)
    ? `the clearance of session ${row.session}, ${show(row.clearance)}: a result of ${tool.name} may be at ${show(tool.result.high)}`
    : `the label of service ${tool.provider}: what ${tool.name} is told flows to it at ${show(tool.sink)}`;
}
