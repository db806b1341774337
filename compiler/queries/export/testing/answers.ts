// Converts the answers of a page and of an engine to one form, a gate or a refusal, so that tests can compare them.

import { type Conversation, decide, type IndexedTables, indexTables } from "../../../../engine/lib/policy/index.ts";
import type { PolicyTables } from "../../../../engine/lib/wire/generated/policy.ts";

export const ANSWERS = ["auto", "consent", "stepUp", "refused"] as const;
/** An answer. `ANSWERS` lists all answers, the strictest last. */
export type Answer = (typeof ANSWERS)[number];

/**
 * Returns the decision of the page about a call: a gate, or `refused`. Returns `undefined` if the arguments do not fit
 * the tool, because engines are not asked about such a call.
 */
export function pageAnswer(
  tables: IndexedTables,
  conversation: Conversation,
  call: { readonly tool: string; readonly arguments: string },
): Answer | undefined {
  const decision = decide(tables, conversation, call);
  if (decision.kind === "gated") return decision.gate;
  return decision.outcome === "invalidArguments" ? undefined : "refused";
}

export function isAtLeastAsStrict(one: Answer, other: Answer): boolean {
  return ANSWERS.indexOf(one) >= ANSWERS.indexOf(other);
}

/**
 * Returns the tables without quotas of bytes. Other engines cannot count bytes, and the report of an export states
 * this.
 */
export function withoutBytes(tables: PolicyTables): IndexedTables {
  const rows = tables.rows.map((row) => ({ ...row, quotas: row.quotas.filter(({ unit }) => unit !== "bytes") }));
  const read = indexTables({ ...tables, rows });
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}
