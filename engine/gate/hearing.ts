// Ruling 11: the whole prompt flows to the backend. The loop holds the model, so that it could tell it anything that it knows:
// the gate keeps from the loop what the session's backend is not cleared for.
import { backendStandings, type Conversation, type IndexedTables } from "../policy/index.ts";

/** Leases are opened by a person, and no image asks for them yet. */
const NO_LEASES: ReadonlySet<number> = new Set();

/** Why the backend may not hear the conversation; nothing where it may. */
export function unheard(tables: IndexedTables, conversation: Conversation, backend: string): string | undefined {
  const standing = backendStandings(tables, conversation, NO_LEASES).find(
    (each) => tables.backends[each.backend]?.name === backend,
  );
  if (standing === undefined) return `no backend ${backend} answers in this session`;
  return standing.use === "now" ? undefined : `${backend} may not answer: ${standing.reason}`;
}
