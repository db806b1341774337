// Explains a conversation's label: names the reads that raised it, for a call that the label refuses.
import {
  computeStanding,
  FIRST_DECISION,
  formatLabel,
  type IndexedTables,
  mayFlow,
} from "../../../lib/policy/index.ts";
import type { Asked, Memory, Raise } from "../memory.ts";
import type { Lines } from "./parts.ts";

/**
 * Returns all calls whose results made the label what it is, if the label refuses this call or demands a stricter gate. If only some of them
 * hinder the call, these are marked. Returns no lines if the label plays no part in the decision.
 */
export function describeRaises(tables: IndexedTables, memory: Memory, asked: Asked): Lines {
  const { conversation } = asked;
  const hinders = findHindrance(tables, asked);
  if (hinders === undefined) return [];
  const raises = memory.findRaises(conversation.label);
  if (raises.length === 0) {
    return [
      `no call of this run raised the label: the conversation began or was taken up at ${renderLabel(conversation.label)}`,
    ];
  }
  const hindering = raises.filter(hinders);
  const isEach = hindering.length === raises.length;
  return ["the label was raised by:", ...raises.map(raiseLine)];

  function raiseLine(raise: Raise): string {
    const { id, name, arguments: args, before, after } = raise;
    const words = `  ${name} ${args} (call ${id}), from ${renderLabel(before)} to ${renderLabel(after)}`;
    return isEach || !hindering.includes(raise) ? words : `${words}, which hinders this call`;
  }

  function renderLabel(label: Raise["after"]): string {
    return formatLabel(tables.lattice, label);
  }
}

/**
 * Returns a function that tests whether a raise of the label makes the policy refuse the call or demand a stricter
 * gate; `undefined` if the label has no such effect.
 */
function findHindrance(
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
