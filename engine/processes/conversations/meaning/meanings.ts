// Searches by meaning as well as by words, for the sessions that have an embedder. Without an embedder, a store
// searches by words only.

import { accept, type Result } from "../../../lib/result/result.ts";
import type { Hit } from "../../../lib/wire/generated/conversations.ts";
import { MOST_NEAR } from "../limits.ts";
import type { SearchQuery } from "../reading.ts";
import type { RecallRequest } from "../recalling.ts";
import type { Recall } from "../recalls.ts";
import type { Store } from "../store.ts";
import type { Embedding } from "./embedding.ts";
import { Indexer, type Wait } from "./indexer.ts";
import type { OutlierScore, Scope } from "./nearest.ts";
import { readVector } from "./vector.ts";

interface Searched {
  readonly hits: readonly Hit[];
  /** Whether an embedder was asked and answered. */
  readonly byMeaning: boolean;
  /**
   * States why the search used only words, or how many sayings have no vector. Empty if neither is the case, or the
   * session has no embedder.
   */
  readonly note: string;
}

/** Milliseconds to wait for the vector of a query. */
interface Patience {
  readonly searchMs: number;
  readonly recallMs: number;
}

const PATIENCE: Patience = { searchMs: 5000, recallMs: 2000 };
/**
 * Limits for the hits that a person sees. Lower scores than in TO_A_MODEL suffice, because a person can judge doubtful
 * hits.
 */
const TO_A_PERSON: OutlierScore = { most: MOST_NEAR, by: 1 };
/**
 * Limits for the hits that a model sees. They are stricter than TO_A_PERSON, because each hit takes space in the
 * model's context.
 */
const TO_A_MODEL: OutlierScore = { most: 3, by: 2 };

interface Embedded {
  readonly embedding: Embedding;
  readonly model: bigint;
  readonly indexer: Indexer;
}

export class Meanings {
  readonly #store: Store;
  readonly #sessions = new Map<string, Embedded>();
  readonly #patience: Patience;
  /** Reason why a session's embedder is not used, by session. */
  readonly #hindered = new Map<string, string>();
  /**
   * Sessions that wait for the vector of a query. Each session may have one waiting query, so that no session can
   * occupy the embedder.
   */
  readonly #asking = new Set<string>();

  constructor(store: Store, embeddings: ReadonlyMap<string, Embedding>, wait: Wait, patience = PATIENCE) {
    this.#store = store;
    this.#patience = patience;
    for (const [session, embedding] of embeddings) {
      const model = store.vectors.numberOf(embedding.id);
      if (!model.ok) this.#hindered.set(session, model.reason);
      else {
        const indexer = new Indexer({ session, embedding, model: model.value, vectors: store.vectors }, wait);
        this.#sessions.set(session, { embedding, model: model.value, indexer });
      }
    }
    for (const { indexer } of this.#sessions.values()) indexer.look();
  }

  /** Returns an instance without an embedder, whose searches use words alone. */
  static createDisabled(store: Store): Meanings {
    return new Meanings(store, new Map(), async () => {});
  }

  /** Notes that sayings after this sequence number are on the disk, and may need vectors. */
  noticeSayings(session: string, conversation: string, after: bigint): void {
    this.#sessions.get(session)?.indexer.look({ conversation, after });
  }

  async search(session: string, sought: SearchQuery): Promise<Result<Searched>> {
    const scope = { session, conversation: sought.conversation, before: 0n };
    const near = await this.#findNear(sought.words, scope, TO_A_PERSON, this.#patience.searchMs);
    const hits = this.#store.search(session, sought, near?.ok === true ? near.value : []);
    if (!hits.ok) return hits;
    const note = near?.ok === false ? `only words were looked for: ${near.reason}` : this.#describeMissing(session);
    return accept({ hits: hits.value, byMeaning: near?.ok === true, note });
  }

  async recall(session: string, wanted: RecallRequest): Promise<Result<Recall>> {
    const scope = { session, conversation: wanted.conversation, before: wanted.before };
    const isOn = this.#store.readRecalling(session);
    const near =
      isOn.ok && isOn.value
        ? await this.#findNear(wanted.words, scope, TO_A_MODEL, this.#patience.recallMs)
        : undefined;
    return this.#store.recall(session, wanted, near?.ok === true ? near.value : []);
  }

  /**
   * Returns a text that says how many sayings of the session can be found by meaning, or why its embedder is not used.
   * The text is empty if the session has no embedder.
   */
  describeStatus(session: string): string {
    const embedded = this.#sessions.get(session);
    if (embedded === undefined) return this.#hindered.get(session) ?? "";
    const { model, indexer } = embedded;
    const coverage = this.#store.vectors.readCoverage(session, model);
    if (!coverage.ok) return coverage.reason;
    const { sayings, own, foreign } = coverage.value;
    return [
      `${own} of ${sayings} sayings are found by meaning, too`,
      ...(foreign > 0 ? [`${foreign} have vectors of other weights, which are not looked at`] : []),
      ...(indexer.reason === "" ? [] : [indexer.reason]),
    ].join("; ");
  }

  /** Resolves when no saying waits for its vector. */
  async waitUntilIdle(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ indexer }) => indexer.idle));
  }

  stop(): void {
    for (const { indexer } of this.#sessions.values()) indexer.stop();
  }

  /**
   * Returns the rows of sayings that are near in meaning to the words. Returns `undefined` if the session has no
   * embedder or the query is empty. Fails if the embedder does not answer, or if an earlier query of the session still
   * waits for it.
   */
  async #findNear(words: string, scope: Scope, outstanding: OutlierScore, timeoutMs: number) {
    const { session } = scope;
    const embedded = this.#sessions.get(session);
    if (embedded === undefined || words === "") return undefined;
    if (this.#asking.has(session))
      return { ok: false, reason: "the embedder is asked by this session already" } as const;
    this.#asking.add(session);
    try {
      const made = await embedded.embedding.embedText(words, timeoutMs);
      if (!made.ok) return made;
      const vector = readVector(made.value);
      if (vector === undefined) return accept([]);
      return await this.#store.vectors.searchNearest(vector, embedded.model, scope, outstanding);
    } finally {
      this.#asking.delete(session);
    }
  }

  #describeMissing(session: string): string {
    const embedded = this.#sessions.get(session);
    if (embedded === undefined) return "";
    const coverage = this.#store.vectors.readCoverage(session, embedded.model);
    const missing = coverage.ok ? coverage.value.sayings - coverage.value.own : 0;
    if (missing === 0) return "";
    const { reason } = embedded.indexer;
    return `${missing} sayings have no vector${reason === "" ? " yet" : ` (${reason})`}: only their words were looked at`;
  }
}
