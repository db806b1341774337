import type { Row, Tool } from "../wire/generated/policy.ts";
import { canonicalizeArguments } from "./canonical-json.ts";
import { evaluateConditions, type Truth } from "./condition.ts";
import type { Conversation } from "./conversation.ts";
import type { GatedDecision } from "./decide.ts";
import { listLines } from "./lines.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** Roots of categories that are asked about every time. */
const NEVER_REMEMBERED = ["destructive", "admin"];

/** Whether consent to a tool may hold for more than one call in a row: not for tools that destroy, administer or leave the machine. */
export function mayBeRemembered(tables: IndexedTables, row: Row, tool: Pick<Tool, "category" | "networked">): boolean {
  if (row.remember === "none" || tool.networked) return false;
  return !NEVER_REMEMBERED.some((root) => tables.lineage[tool.category]?.has(root));
}

/**
 * How the conditions of a call's cell stand, clause by clause and floor by floor: arguments are of one class where every condition is as true of
 * them. Nothing where consent is for this call alone: a step-up, a release, arguments of which a condition cannot be told, and
 * what may not be remembered.
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
 * Ruling 15: two calls with one key are one thing to the person who consented, for as long as the row says. The key holds
 * the label, so that it is void as soon as the label floats.
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
