// Gives sayings their vectors once they are on the disk, one after the other and the newest first. No caller waits for the vectors:
// a saying without a vector is found by its words alone.

import { MOST_WAITING, VECTORS_AT_ONCE } from "../limits.ts";
import type { Embedding } from "./embedding.ts";
import type { IndexedVector, Part } from "./table.ts";
import type { Vectors } from "./vectors.ts";

/** Resolves after `ms` milliseconds, unless the process ends before that; a test may resolve it sooner. */
export type Wait = (ms: number) => Promise<void>;

/** Timeout for one text in milliseconds: a long text can take this long on a small emulated machine. */
const TEXT_MS = 60_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Number of failures of an embedder on one text after which this run skips the text. */
const MOST_TRIES = 3;
const WHOLE: Part = { conversation: "", after: 0n };

/** The session whose sayings are indexed, the model that embeds them, and where vectors are kept. */
interface IndexerParts {
  readonly session: string;
  readonly embedding: Embedding;
  readonly model: bigint;
  readonly vectors: Vectors;
}

export class Indexer {
  readonly #session: string;
  readonly #embedding: Embedding;
  readonly #model: bigint;
  readonly #vectors: Vectors;
  readonly #wait: Wait;
  /** Row numbers of the sayings that wait for a vector, the newest last. */
  #waiting: bigint[] = [];
  #made: IndexedVector[] = [];
  /**
   * Count of erasures at the time when the first vector of `#made` was computed; the vectors in `#made` are not stored
   * yet. If the count has changed since, their row numbers may belong to other sayings.
   */
  #madeAt = 0;
  readonly #tries = new Map<bigint, number>();
  #work: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isOver = false;
  /** Reason why sayings have no vectors; empty if there is no such reason. */
  reason = "";

  constructor({ session, embedding, model, vectors }: IndexerParts, wait: Wait) {
    this.#session = session;
    this.#embedding = embedding;
    this.#model = model;
    this.#vectors = vectors;
    this.#wait = wait;
  }

  /** Resolves when no saying waits for its vector any more. */
  get idle(): Promise<void> {
    return this.#work;
  }

  /** Queues sayings without a vector. */
  look(part: Part = WHOLE): void {
    const missing = this.#vectors.listMissing(this.#session, this.#model, part, MOST_WAITING);
    if (!missing.ok) {
      this.reason = missing.reason;
      return;
    }
    const known = new Set(this.#waiting);
    const fresh = missing.value.filter((number) => !known.has(number) && !this.#isGivenUp(number)).reverse();
    this.#waiting = [...this.#waiting, ...fresh].slice(-MOST_WAITING);
    if (this.#isWorking || this.#waiting.length === 0) return;
    this.#isWorking = true;
    this.#work = this.#run();
  }

  stop(): void {
    this.#isOver = true;
  }

  async #run(): Promise<void> {
    // Let the caller return before the first vector is computed.
    await null;
    let pause = FIRST_PAUSE_MS;
    while (!this.#isOver) {
      if (this.#waiting.length === 0) this.#keep();
      const number = this.#waiting.pop();
      if (number === undefined) break;
      if (await this.#embed(number)) {
        pause = FIRST_PAUSE_MS;
        if (this.#made.length >= VECTORS_AT_ONCE) this.#keep();
        continue;
      }
      this.#keep();
      await this.#wait(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    this.#isWorking = false;
  }

  /** Embeds one saying; returns false if the embedder or the file failed. */
  async #embed(number: bigint): Promise<boolean> {
    const text = this.#vectors.readText(this.#session, number);
    if (!text.ok) return this.#fail(number, text.reason);
    if (text.value === undefined) return true;
    const { erasures } = this.#vectors;
    const made = await this.#embedding.embedText(text.value, TEXT_MS);
    if (!made.ok) return this.#fail(number, made.reason, "isAway" in made ? "away" : "refused");
    this.#tries.delete(number);
    if (this.#made.length === 0) this.#madeAt = erasures;
    this.#made.push({ number, vector: made.value });
    this.reason = "";
    return true;
  }

  #fail(number: bigint, reason: string, cause: "away" | "refused" = "refused"): false {
    if (cause === "refused") this.#tries.set(number, (this.#tries.get(number) ?? 0) + 1);
    if (!this.#isGivenUp(number)) this.#waiting.push(number);
    this.reason = reason;
    return false;
  }

  #isGivenUp(number: bigint): boolean {
    return (this.#tries.get(number) ?? 0) >= MOST_TRIES;
  }

  #keep(): void {
    const made = this.#made.splice(0);
    if (made.length === 0 || this.#isOver) return;
    if (this.#madeAt !== this.#vectors.erasures) {
      // Sayings were erased in the meantime: a row number may now belong to another saying, which needs its own vector.
      this.look();
      return;
    }
    const kept = this.#vectors.put(this.#session, this.#model, made);
    if (kept.ok) return;
    this.#waiting = [];
    this.reason = kept.reason;
  }
}
