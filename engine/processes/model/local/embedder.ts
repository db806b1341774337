// Embeds texts as vectors with the weights of an embedding model. Texts of similar meaning have similar directions.

import type { Addon, AddonContext, AddonModel, Token } from "./addon.ts";

interface EmbedderOptions {
  /** Maximum number of tokens of a text. A text of this length fits into one batch. */
  readonly contextTokens: number;
  readonly threads: number;
}

export class Embedder {
  readonly #model: AddonModel;
  readonly #context: AddonContext;
  readonly contextTokens: number;

  private constructor(model: AddonModel, context: AddonContext, contextTokens: number) {
    this.#model = model;
    this.#context = context;
    this.contextTokens = contextTokens;
  }

  /** Returns an embedder, or `undefined` if the engine refuses the weights or cannot hold a text of this length. */
  static async open(addon: Addon, path: string, options: EmbedderOptions): Promise<Embedder | undefined> {
    const { contextTokens, threads } = options;
    const model = new addon.AddonModel(path, { addonExports: addon, gpuLayers: 0, useMmap: true, checkTensors: true });
    if (!(await model.init())) return undefined;
    const sizes = { contextSize: contextTokens, batchSize: contextTokens, sequences: 1 } as const;
    const context = new addon.AddonContext(model, { ...sizes, threads, flashAttention: false, embeddings: true });
    return (await context.init()) ? new Embedder(model, context, contextTokens) : undefined;
  }

  /** Returns the tokens of a text, cut to the context length. Names of special tokens in the text are read as plain characters. */
  tokenize(text: string): readonly Token[] {
    const model = this.#model;
    const [begin, end] = [
      model.shouldPrependBosToken() ? listPresent(model.tokenBos()) : [],
      model.shouldAppendEosToken() ? listPresent(model.tokenEos()) : [],
    ];
    const room = this.contextTokens - begin.length - end.length;
    return [...begin, ...[...model.tokenize(text, false)].slice(0, room), ...end];
  }

  /**
   * Returns a vector of length 1, so that the dot product of two vectors is their similarity. Returns `undefined` if
   * the text has no tokens, or if the vector has no direction.
   */
  async embedTokens(tokens: readonly Token[]): Promise<readonly number[] | undefined> {
    if (tokens.length === 0) return undefined;
    this.#context.removeTokenCellsFromSequence(0, 0, -1);
    this.#context.initBatch(tokens.length);
    const all = Uint32Array.from(tokens);
    this.#context.addToBatch(
      0,
      0,
      all,
      all.map((_, index) => index),
    );
    await this.#context.decodeBatch();
    return normalizeVector([...this.#context.getEmbedding(tokens.length)]);
  }
}

const listPresent = (token: Token): readonly Token[] => (token === -1 ? [] : [token]);

function normalizeVector(values: readonly number[]): readonly number[] | undefined {
  const length = Math.hypot(...values);
  // Round the numbers from 64 to 32 bits, because the protocol sends a vector as 32-bit numbers.
  return Number.isFinite(length) && length > 0 ? values.map((value) => Math.fround(value / length)) : undefined;
}
