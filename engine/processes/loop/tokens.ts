// Counts the tokens that a text takes of a model's context. A model with a tokenizer counts them itself; otherwise the
// estimate of engine/lib/context is used.

import { estimateTokens } from "../../lib/context/index.ts";
import { LanguageModel, type ModelInfo } from "../../lib/wire/generated/capos.ts";
import type { Connection } from "../../lib/wire/index.ts";

/** Context in tokens of a model that does not state the size of its context: the smallest common size. */
const LEAST_CONTEXT = 4096;
/** Maximum number of texts of one count request to the model; see capos.capnp. */
const MOST_TEXTS = 256;
const ASKED_AT_ONCE_BYTES = 512 * 1024;
const COUNT_TIMEOUT_MS = 30_000;

export interface Room {
  /** Maximum number of tokens in the model's context. */
  readonly contextTokens: number;
  /** Maximum number of tokens of a request; the rest is for the answer. */
  readonly budgetTokens: number;
}

/**
 * Returns the sizes of a model's context and of a request, which leaves space for the answer. `answerTokens` is the
 * maximum number of tokens requested for an answer.
 */
export function computeRoom({ contextTokens, outputTokens }: ModelInfo, answerTokens: number): Room {
  const context = contextTokens === 0 ? LEAST_CONTEXT : contextTokens;
  const answer = outputTokens === 0 ? answerTokens : Math.min(outputTokens, answerTokens);
  return { contextTokens: context, budgetTokens: Math.max(0, context - answer) };
}

export interface Tokens {
  /** Returns the tokens of each text, in the order of the texts. */
  readonly count: (texts: readonly string[]) => Promise<readonly number[]>;
  /** Whether the last count was estimated from characters. */
  readonly isEstimated: boolean;
}

/**
 * Counts tokens with the model's own tokenizer, until the model fails to count, for example because it has no
 * tokenizer. Tokens can be counted as long as the gate permits the model to receive the conversation.
 */
export class ModelTokens implements Tokens {
  readonly #model: Connection;
  #hasNone = false;
  #isEstimated = false;

  constructor(model: Connection) {
    this.#model = model;
  }

  get isEstimated(): boolean {
    return this.#isEstimated;
  }

  async count(texts: readonly string[]): Promise<readonly number[]> {
    const counts: number[] = [];
    for (const piece of splitTexts(texts)) counts.push(...(await this.#countPiece(piece)));
    return counts;
  }

  async #countPiece(texts: readonly string[]): Promise<readonly number[]> {
    const counts = this.#hasNone ? undefined : await this.#requestCounts(texts);
    this.#isEstimated = counts === undefined;
    return counts ?? texts.map(estimateTokens);
  }

  async #requestCounts(texts: readonly string[]): Promise<readonly number[] | undefined> {
    const reply = await this.#model.call(LanguageModel.methods.countTokens, { texts }, { timeoutMs: COUNT_TIMEOUT_MS });
    if (reply.ok && reply.value.counts.length === texts.length) return reply.value.counts;
    // The gate has ended the permit in the meantime. The current request fails, and the next one has its own permit.
    if (reply.ok || reply.code !== "cancelled") this.#hasNone = true;
    return undefined;
  }
}

function splitTexts(texts: readonly string[]): readonly (readonly string[])[] {
  const pieces: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    if (bytes + length > ASKED_AT_ONCE_BYTES || (pieces.at(-1)?.length ?? 0) >= MOST_TEXTS) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)?.push(text);
    bytes += length;
  }
  return pieces;
}
