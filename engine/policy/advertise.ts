import type { Tool } from "../wire/generated/policy.ts";
import type { Conversation } from "./conversation.ts";
import { advertisedMode, type PermissionMode } from "./mode.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

export interface Advertised {
  readonly tool: Tool;
  /** The strictest that arguments could bring about; a hint, for `decide` has the say. */
  readonly mode: PermissionMode;
}

/** The tools that exist for a conversation, in the tables' order. Suppressed and uncovered ones are not among them. */
export function advertisedTools(tables: IndexedTables, conversation: Conversation): readonly Advertised[] {
  const cells = tables.rows[conversation.row]?.cells ?? [];
  return tables.tools.flatMap((tool, index) => {
    const list = tables.decisions[(cells[index] ?? 0) - FIRST_DECISION];
    return list ? [{ tool, mode: advertisedMode(list, conversation.label, conversation.unattended) }] : [];
  });
}
