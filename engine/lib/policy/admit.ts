import type { Conversation } from "./conversation.ts";
import { join, type Label, mayFlow } from "./label.ts";
import type { IndexedTables } from "./tables.ts";

export interface Admission {
  /** The conversation with its label from now on, whether or not the content is withheld. */
  readonly conversation: Conversation;
  /**
   * Whether the content is above the session's clearance, and must not be returned to the model. The call counts as
   * executed in any case.
   */
  readonly withheld: boolean;
}

/**
 * Returns the conversation after a result, an error or a timeout of a tool. A result without a label gets the highest label of the tool's
 * range.
 */
export function admit(tables: IndexedTables, conversation: Conversation, tool: number, stated?: Label): Admission {
  const range = tables.tools[tool]?.result;
  const clearance = tables.rows[conversation.row]?.clearance;
  if (range === undefined || clearance === undefined) return { conversation, withheld: true };
  // If a service claims a label below the declared range, the lowest label of the range applies.
  const label = join(conversation.label, stated === undefined ? range.high : join(range.low, stated));
  return { conversation: { ...conversation, label }, withheld: !mayFlow(label, clearance) };
}
