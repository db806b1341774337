import type { Row, Tool } from "../wire/generated/policy.ts";
import { canonicalizeArguments } from "./canonical-json.ts";
import { evaluateConditions, type Truth } from "./condition.ts";
import type { Conversation } from "./conversation.ts";
import type { GatedDecision } from "./decide.ts";
import { listLines } from "./lines.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** Roots of categories for which a person is asked every time. */
const NEVER_REMEMBERED = ["destructive", "admin"];

/**
 * Returns whether consent to a tool may hold for more than one call. It may not if `remember` of the row is `none`, or
 * if the tool destroys, administers or uses the network.
 */
export function mayBeRemembered(tables: IndexedTables, row: Row, tool: Pick<Tool, "category" | "networked">): boolean {
  if (row.remember === "none" || tool.networked) return false;
  return !NEVER_REMEMBERED.some((root) => tables.lineage[tool.category]?.has(root));
}

/**
 * Returns the class of a call: the truth values of the conditions of each clause and each floor in the call's cell. A
 * remembered consent covers calls of one class. Returns `undefined` if consent is for this call alone: for a step-up, a
 * release, an unknown condition, or a tool whose consent may not be remembered.
 */
export function deriveConsentClass(
  tables: IndexedTables,
  conversation: Conversation,
  call: GatedDecision,
): readonly Truth[] | undefined {
  const row = tables.rows[conversation.row];
  const tool = tables.tools[call.tool];
  const list = tables.decisions[(row?.cells[call.tool] ?? 0) - FIRST_DECISION];
  if (row === undefined || tool === undefined || list === undefined) return undefined;
  if (call.gate !== "consent" || call.release !== undefined || !mayBeRemembered(tables, row, tool)) return undefined;
  const args = canonicalizeArguments(call.arguments);
  if (!args.ok) return undefined;
  const truths = listLines(list).map(({ conditions }) =>
    evaluateConditions(conditions, args.value.value, conversation),
  );
  return truths.includes("unknown") ? undefined : truths;
}

/**
 * Returns the key of a consent (ruling 15): a consent covers calls with the same key, for the time that the row states. The key
 * contains the label, so that the consent ends as soon as the label rises.
 */
export function deriveConsentKey(
  tables: IndexedTables,
  conversation: Conversation,
  call: GatedDecision,
): string | undefined {
  const truths = deriveConsentClass(tables, conversation, call);
  const tool = tables.tools[call.tool];
  if (truths === undefined || tool === undefined) return undefined;
  const { confidentiality, integrity, compartments } = conversation.label;
  return JSON.stringify([tool.name, conversation.row, truths, confidentiality, integrity, String(compartments)]);
}
