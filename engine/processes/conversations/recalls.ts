// Recall of evicted sayings. The person decides whether a session uses recall, and the decision is stored here. The sayings given
// to a loop are reported to its gate, which records them. A loop decides neither about recall nor about what is
// recorded.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Sql } from "../../lib/sqlite/index.ts";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import { MOST_UNTOLD } from "./limits.ts";
import { type RecallRequest, recallFrom } from "./recalling.ts";

export interface Recall {
  readonly sayings: readonly Saying[];
  /** Whether the person turned recall off. */
  readonly isOff: boolean;
  /** Sequence numbers of the sayings that were found only by meaning. */
  readonly byMeaning: readonly bigint[];
}

/** Sequence numbers of sayings of one conversation, in order. */
export interface RecalledSayings {
  readonly conversation: string;
  readonly sequences: readonly bigint[];
}

export class RecallRegistry {
  readonly #sql: Sql;
  /** Sayings that loops got since their gate's last query, by session. */
  readonly #given = new Map<string, RecalledSayings>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(session: string, wanted: RecallRequest, near: readonly bigint[]): Result<Recall> {
    if (!this.isOn(session)) return accept({ sayings: [], isOff: true, byMeaning: [] });
    const { conversation } = wanted;
    const before = this.#given.get(session);
    const known = before?.conversation === conversation ? before.sequences : [];
    // One audit record must list all sayings that the loop received since the gate last asked. If they already fill the
    // record, refuse further recalls.
    if (known.length >= MOST_UNTOLD) return refuse("what was recalled is not on record yet");
    const found = recallFrom(this.#sql, wanted, near);
    if (!found.ok) return found;
    const sequences = new Set([...known, ...found.value.sayings.map(({ sequence }) => sequence)]);
    this.#given.set(session, { conversation, sequences: [...sequences].sort((a, b) => Number(a - b)) });
    return accept({ ...found.value, isOff: false });
  }

  isOn(session: string): boolean {
    return this.#sql.findFirst("SELECT value FROM facts WHERE name = ?", formatOffFact(session)) === undefined;
  }

  /** Turns recall of a session on or off, in the caller's transaction. The setting outlasts the run. */
  set(session: string, isOn: boolean): true {
    const change = isOn ? "DELETE FROM facts WHERE name = ?" : "INSERT INTO facts VALUES (?, 1) ON CONFLICT DO NOTHING";
    this.#sql.run(change, formatOffFact(session));
    return true;
  }

  /** Returns the sayings that the session's loop got since the last call of this method. */
  take(session: string): RecalledSayings {
    const given = this.#given.get(session) ?? { conversation: "", sequences: [] };
    this.#given.delete(session);
    return given;
  }
}

/**
 * Returns the name under which the table `facts` stores that recall is off for a session. No other name in that table
 * begins with the same words.
 */
function formatOffFact(session: string): string {
  return `no recall in ${session}`;
}
