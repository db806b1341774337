import type { Conversation } from "./conversation.ts";
import { join, type Label, mayFlow } from "./label.ts";
import type { IndexedTables } from "./tables.ts";

export interface Admission {
  /** The conversation with the label that it has from now on, even if the result is withheld. */
  readonly conversation: Conversation;
  /**
   * Whether the result is above the session's clearance, so that the model must not read it. The call counts as
   * executed in any case.
   */
  readonly withheld: boolean;
}

/**
 * Adds the label of a tool's result to the conversation; an error or a timeout counts as a result. `stated` is the
 * label that the service states. Without it, the result gets the highest label that the tables allow for results of
 * the tool.
 */
export function admit(tables: IndexedTables, conversation: Conversation, tool: number, stated?: Label): Admission {
  const range = tables.tools[tool]?.result;
  const clearance = tables.rows[conversation.row]?.clearance;
  if (range === undefined || clearance === undefined) return { conversation, withheld: true };
  // If a service claims a label below the declared range, the lowest label of the range applies.
  const label = join(conversation.label, stated === undefined ? range.high : join(range.low, stated));
  return { conversation: { ...conversation, label }, withheld: !mayFlow(label, clearance) };
}
