// Every answer sends the whole prompt to the backend (ruling 11). The loop has access to the models and could send them all of its data.
// Therefore the gate withholds data from the loop if no backend of the session is cleared for it.
import { type BackendStatus, type Conversation, evaluateBackends, type IndexedTables } from "../../lib/policy/index.ts";

const NO_LEASES: ReadonlySet<number> = new Set();

/** Returns why no backend can get the conversation. Returns `undefined` if some backend can, even if a person must first allow it. */
export function explainUnheard(tables: IndexedTables, conversation: Conversation): string | undefined {
  // A backend that a person opened before leaving stays open; the permits check whether one was opened.
  const standings = evaluateBackends(tables, { ...conversation, unattended: false }, NO_LEASES);
  return standings.some(({ use }) => use !== "never") ? undefined : describeSilence(tables, standings);
}

/** Returns why none of these backends may answer. */
export function describeSilence({ backends }: IndexedTables, standings: readonly BackendStatus[]): string {
  if (standings.length === 0) return "no backend answers in this session";
  return standings.map(({ backend, reason }) => `${backends[backend]?.name} may not answer: ${reason}`).join("; ");
}
