// The state in which a conversation of a gate begins.

import { type Conversation, type IndexedTables, openConversation, openIngress } from "../../lib/policy/index.ts";

/** Whose conversations a gate has: those of people in a session, or those of an ingress. */
export interface Beginning {
  readonly tables: IndexedTables;
  readonly session: string;
  /** Name of the ingress whose tasks the gate runs; `undefined` for the gate of a session. */
  readonly ingress?: string | undefined;
}

/**
 * Returns a conversation in its first state. A conversation of an ingress has the label of the ingress, and nobody is
 * present. Returns `undefined` if the tables have no such session or ingress, or if a person would have to approve the
 * beginning.
 */
export function beginState({ tables, session, ingress }: Beginning): Conversation | undefined {
  if (ingress === undefined) return openConversation(tables, session);
  const opened = openIngress(tables, ingress);
  if (!opened.ok || opened.value.gate !== "auto") return undefined;
  const { conversation } = opened.value;
  return tables.rows[conversation.row]?.session === session ? { ...conversation, unattended: true } : undefined;
}
