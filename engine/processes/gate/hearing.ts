// Ruling 11: the whole prompt flows to the backend. The loop holds the models and could send them everything that it has received.
// Therefore the gate withholds from the loop what no backend of the session is cleared for.
import { type BackendStatus, type Conversation, evaluateBackends, type IndexedTables } from "../../lib/policy/index.ts";

const NO_LEASES: ReadonlySet<number> = new Set();

/** Returns why no backend may receive the conversation; `undefined` if some backend may, even if a person must first allow it. */
export function explainUnheard(tables: IndexedTables, conversation: Conversation): string | undefined {
  // A backend with the mode `consent` may count as usable even if nobody is present, because a person may have allowed
  // it before they left. The check for this consent follows when a permit is issued.
  const standings = evaluateBackends(tables, { ...conversation, unattended: false }, NO_LEASES);
  return standings.some(({ use }) => use !== "never") ? undefined : describeSilence(tables, standings);
}

/** Returns the reasons why none of these backends may answer. */
export function describeSilence({ backends }: IndexedTables, standings: readonly BackendStatus[]): string {
  if (standings.length === 0) return "no backend answers in this session";
  return standings.map(({ backend, reason }) => `${backends[backend]?.name} may not answer: ${reason}`).join("; ");
}
