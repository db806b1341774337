// Names the earlier calls whose results raised the conversation's label, for a call that this label refuses or puts
// behind a stricter gate.
import { formatLabel, type IndexedTables } from "../../../lib/policy/index.ts";
import { findHindrance } from "../hindrance.ts";
import type { Asked, Memory, Raise } from "../memory.ts";
import type { Lines } from "./parts.ts";

/**
 * Explains a call that is refused, or needs a stricter gate, because of the conversation's label. Returns a line for
 * each earlier call whose result raised this label. If only some of these raises hinder the call, their lines say so.
 * Returns no lines if the label plays no part in the decision.
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
