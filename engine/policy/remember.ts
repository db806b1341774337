import { canonicalArguments } from "./canonical-json.ts";
import { truthOfAll } from "./condition.ts";
import type { Conversation } from "./conversation.ts";
import type { Gated } from "./decide.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** Roots of what is asked about every time. */
const NEVER_REMEMBERED = ["destructive", "admin"];

/**
 * Ruling 15: two calls with one key are one thing to the person who consented, for as long as the row says. The key holds
 * the label, so that it is void as soon as the label floats. Nothing where consent is for this call alone: a step-up, a
 * release, what destroys or administers, and what leaves the machine.
 */
export function consentKey(tables: IndexedTables, conversation: Conversation, call: Gated): string | undefined {
  const row = tables.rows[conversation.row];
  const tool = tables.tools[call.tool];
  const list = tables.decisions[(row?.cells[call.tool] ?? 0) - FIRST_DECISION];
  if (row === undefined || tool === undefined || list === undefined) return undefined;
  if (row.remember === "none" || call.gate !== "consent" || call.release !== undefined || tool.networked)
    return undefined;
  if (NEVER_REMEMBERED.some((root) => tables.lineage[tool.category]?.has(root))) return undefined;
  const args = canonicalArguments(call.arguments);
  if (!args.ok) return undefined;
  // Arguments are of one class where every condition of the cell is as true of them.
  const truths = list.clauses.map(({ conditions }) => truthOfAll(conditions, args.value.value));
  const { confidentiality, integrity, compartments } = conversation.label;
  return JSON.stringify([tool.name, conversation.row, truths, confidentiality, integrity, String(compartments)]);
}
