// Calls an embedder over its connection. This code does not trust the embedder, which may be another model than the granted one,
// send anything, or never answer. Any failure leaves one text without a vector, and the reason is reported.

import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { TextEmbedder } from "../../../lib/wire/generated/capos.ts";
import type { Connection } from "../../../lib/wire/index.ts";
import { MAX_EMBEDDED_LENGTH } from "../limits.ts";
import { type QuantizedVector, quantizeVector } from "./vector.ts";

export type EmbedderConnection = Pick<Connection, "call">;

/** Result of an embedding. `isAway`: the embedder did not get the text, so that its failure does not concern the text. */
type Vectored = Result<QuantizedVector> | { readonly ok: false; readonly reason: string; readonly isAway: true };

export class Embedding {
  /** Digest of the weights, as the manifest names it. */
  readonly id: string;
  readonly #connection: EmbedderConnection;
  /** Whether the embedder has confirmed, since its last failure, that it is the model that the manifest names. */
  #isKnown = false;
  /** Length of the embedder's first vector, which all its vectors must have. */
  #width: number | undefined;

  constructor(id: string, connection: EmbedderConnection) {
    this.id = id;
    this.#connection = connection;
  }

  /**
   * Returns the vector of a text's first `MAX_EMBEDDED_LENGTH` units, empty if all numbers of the vector are 0. Fails
   * if the embedder does not answer in time, or if it does not answer with one valid vector.
   */
  async embedText(text: string, timeoutMs: number): Promise<Vectored> {
    const made = await this.#embedText(text.slice(0, MAX_EMBEDDED_LENGTH).toWellFormed(), timeoutMs);
    if (!made.ok) this.#isKnown = false;
    return made;
  }

  async #embedText(text: string, timeoutMs: number): Promise<Vectored> {
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { timeoutMs, signal };
    if (!this.#isKnown) {
      const told = await this.#connection.call(TextEmbedder.methods.info, {}, options);
      if (!told.ok) return { ...refuse(`the embedder does not answer: ${told.reason}`), isAway: true };
      if (told.value.info.id !== this.id) return refuse("the embedder is another model than was granted");
      this.#isKnown = true;
    }
    const reply = await this.#connection.call(TextEmbedder.methods.embed, { texts: [text] }, options);
    if (!reply.ok) return refuse(`the embedder does not answer: ${reply.reason}`);
    const [vector, ...others] = reply.value.vectors;
    if (vector === undefined || others.length > 0) {
      return refuse(`the embedder sent ${reply.value.vectors.length} vectors of one text`);
    }
    const kept = quantizeVector(vector.values);
    if (!kept.ok) return refuse(`the embedder sent ${kept.reason}`);
    return kept.value.length === 0 ? kept : this.#checkWidth(kept.value);
  }

  #checkWidth(kept: QuantizedVector): Result<QuantizedVector> {
    this.#width ??= kept.length;
    if (kept.length === this.#width) return accept(kept);
    return refuse(`the embedder sent a vector of ${kept.length} numbers after others of ${this.#width}`);
  }
}
