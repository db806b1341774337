// Finds out which results made the policy refuse a call, or demand a stricter gate for it.
import { computeStanding, FIRST_DECISION, type IndexedTables, mayFlow } from "../../lib/policy/index.ts";
import type { Asked, Raise } from "./memory.ts";

/**
 * Returns a function that tests a raise of the label: whether it makes the policy refuse the call or demand a stricter
 * gate. Returns `undefined` if the present label has no such effect.
 */
export function findHindrance(
  tables: IndexedTables,
  { conversation, call, decision }: Asked,
): ((raise: Raise) => boolean) | undefined {
  const index = tables.toolIndex.get(call.tool) ?? -1;
  const tool = tables.tools[index];
  const row = tables.rows[conversation.row];
  if (tool === undefined || row === undefined) return undefined;
  const { sink } = computeStanding(tool, row);
  const isFlow = decision.kind === "gated" ? decision.release !== undefined : decision.rule === undefined;
  if (isFlow && sink !== undefined && !mayFlow(conversation.label, sink)) {
    // Judge each read by itself, so that every read that contributes to the refusal is named.
    return ({ name, before, after }) => {
      const result = tables.tools[tables.toolIndex.get(name) ?? -1]?.result.high ?? after;
      return !mayFlow(result, sink) || (mayFlow(before, sink) && !mayFlow(after, sink));
    };
  }
  const floors = tables.decisions[(row.cells[index] ?? 0) - FIRST_DECISION]?.floors ?? [];
  const floor = floors.find(({ rule }) => rule === decision.rule);
  return floor === undefined || floor.unattended ? undefined : () => true;
}
