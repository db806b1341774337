// Decodes answers with the inference engine. The engine's memory holds the tokens of one conversation at a time. If the
// next request begins with the same tokens, these are not computed again.

import type { Addon, AddonContext, AddonModel, Token } from "./addon.ts";
import type { Piece } from "./chat.ts";
import { BEFORE_NAME } from "./grammar/beginning.ts";
import type { StateOf } from "./states.ts";

interface DecoderOptions {
  readonly contextTokens: number;
  readonly threads: number;
  /** Lookup of precomputed states; absent if there are none. */
  readonly stateOf?: StateOf;
  /** Nats by which the beginning of a call is made less likely than the model estimates. 0: no change. */
  readonly reluctance?: number;
  /** Nats by which an argument is more likely to continue as a copy of earlier text than the model estimates. */
  readonly copying?: number;
}

/** Parameters of an answer. */
export interface Decoding {
  /** Tokens of the prompt, as `tokenize` returns them. */
  readonly prompt: readonly Token[];
  /** Number of first tokens that many requests share; a stored state may contain exactly these tokens. */
  readonly head?: number;
  readonly mostTokens: number;
  /** The temperature of sampling; 0 means that the likeliest token is always chosen. */
  readonly temperature: number;
  readonly grammar?: AnswerGrammar;
}

/** Reason why an answer ends: it is complete, its limit is reached, or it was cancelled. */
export type End = "whole" | "cut" | "stopped";

/** Pieces of text, and the reason of their end. */
export type Texts = AsyncGenerator<string, End, undefined>;

/** The grammar that an answer must follow, and functions that find how an unfinished answer must or may continue. */
export interface AnswerGrammar {
  /** Grammar in the engine's format (GBNF). */
  readonly gbnf: string;
  /** Returns the text that must follow a partial answer; empty if there is a choice. */
  readonly forcedAfter: (text: string) => string;
  /** Returns texts that may continue a partial answer as a copy of earlier messages. */
  readonly copiedAfter: (text: string) => readonly string[];
}

/**
 * An answer can only be stopped between two batches, so each batch should take about 50 ms on a current processor with
 * weights of 80 MB. The time for a token is proportional to the size of the weights. Each token before it adds about
 * 1/600 of this time.
 */
export const BATCHES = {
  work: 24_576,
  weightsWork: 576,
  /** Batch sizes are multiples of this number, because the engine multiplies matrices for groups of four tokens. */
  by: 4,
} as const;

/**
 * Returns how many tokens to compute at once if the memory already has `held` tokens. The result depends on counts and not on a
 * clock, so that answers are repeatable.
 */
function computeBatchTokens(held: number): number {
  const tokens = Math.floor(BATCHES.work / (BATCHES.weightsWork + held));
  return Math.max(BATCHES.by, tokens - (tokens % BATCHES.by));
}

/** Sampling is repeatable: the same request has the same answer. */
const SEED = 1;

export class Decoder {
  readonly #addon: Addon;
  readonly #model: AddonModel;
  readonly #context: AddonContext;
  readonly #stateOf: StateOf;
  readonly #hesitation: Bias;
  readonly #copying: number;
  readonly contextTokens: number;
  /** Tokens computed since the decoder was opened, including those of answers. */
  computed = 0;
  /** Tokens that the engine's context holds. */
  #held: Token[] = [];

  private constructor(addon: Addon, model: AddonModel, context: AddonContext, options: DecoderOptions) {
    this.#addon = addon;
    this.#model = model;
    this.#context = context;
    this.#stateOf = options.stateOf ?? (() => undefined);
    this.contextTokens = options.contextTokens;
    this.#hesitation = computeHesitation(model, options.reluctance ?? 0);
    this.#copying = options.copying ?? 0;
  }

  /** Returns a decoder, or `undefined` if the engine refuses the weights or cannot hold a conversation of this length. */
  static async open(addon: Addon, path: string, options: DecoderOptions): Promise<Decoder | undefined> {
    const { contextTokens, threads } = options;
    const model = new addon.AddonModel(path, { addonExports: addon, gpuLayers: 0, useMmap: true, checkTensors: true });
    if (!(await model.init())) return undefined;
    const sizes = { contextSize: contextTokens, batchSize: computeBatchTokens(0), sequences: 1 } as const;
    const context = new addon.AddonContext(model, { ...sizes, threads, flashAttention: false });
    return (await context.init()) ? new Decoder(addon, model, context, options) : undefined;
  }

  tokenize(pieces: readonly Piece[]): readonly Token[] {
    return pieces.flatMap(({ text, isMark }) => [...this.#model.tokenize(text, isMark)]);
  }

  /**
   * Yields the answer token by token, as text of whole characters. The answer stops at the end of the message, after `mostTokens`, or
   * when the context is full. The model computes only when the next piece is requested.
   */
  async *answer({ prompt, head = 0, mostTokens, temperature, grammar }: Decoding, signal: AbortSignal): Texts {
    const sampler = new this.#addon.AddonSampler(this.#model);
    try {
      const state = this.#createGrammarState(grammar?.gbnf);
      const config = { temperature, seed: SEED, ...(state && { grammarEvaluationState: state }) };
      let bias: Bias = state === undefined ? NO_BIAS : this.#hesitation;
      sampler.applyConfig({ ...config, ...bias });
      await this.#restore(prompt.slice(0, head));
      let place = await this.#read(prompt, signal);
      const said: Token[] = [];
      let told = "";
      const tell = (token: Token): string => {
        said.push(token);
        const before = told.length;
        told = trimPartialCharacter(this.#model.detokenize(Uint32Array.from(said), false));
        return told.slice(before);
      };
      while (place !== undefined && said.length < mostTokens && this.#held.length < this.contextTokens) {
        if (signal.aborted) return "stopped";
        const token = await this.#context.sampleToken(place, sampler);
        if (token === -1 || this.#model.isEogToken(token)) return "whole";
        yield tell(token);
        // Forced tokens are processed like a prompt: in one batch, without sampling.
        const held = this.#held.length;
        const room = Math.min(mostTokens - said.length, this.contextTokens - held - 1, computeBatchTokens(held) - 1);
        const forced = this.#acceptForced(grammar?.forcedAfter(told) ?? "", room, state);
        for (const each of forced) yield tell(each);
        const next = this.#computeCopyBias(told, grammar);
        // Configure the sampler again only if the bias has changed. A bias makes copied texts more likely inside an
        // argument of a call; plain text and other parts of a call have no such bias.
        if (next !== bias) sampler.applyConfig({ ...config, ...next });
        bias = next;
        place = await this.#append([token, ...forced]);
      }
      return place === undefined ? "stopped" : "cut";
    } finally {
      sampler.dispose();
    }
  }

  /** Computes only these tokens, and writes the resulting state to a file. */
  async write(tokens: readonly Token[], path: string): Promise<void> {
    this.#forget();
    await this.#read(tokens, new AbortController().signal);
    await this.#context.saveSequenceStateToFile(path, 0, Uint32Array.from(tokens));
  }

  /**
   * Returns a bias towards the first token of each text that may continue an argument as a copy of earlier messages. If
   * `copying` is 0, no such texts are searched for.
   */
  #computeCopyBias(told: string, grammar: AnswerGrammar | undefined): Bias {
    if (this.#copying === 0 || grammar === undefined) return NO_BIAS;
    const copies = grammar.copiedAfter(told);
    if (copies.length === 0) return NO_BIAS;
    const firsts = copies.flatMap((text) => [...this.#model.tokenize(text, false)].slice(0, 1));
    return makeBias([...new Set(firsts)], this.#copying);
  }

  #createGrammarState(grammar: string | undefined): object | undefined {
    if (grammar === undefined) return undefined;
    const compiled = new this.#addon.AddonGrammar(grammar, { addonExports: this.#addon });
    return new this.#addon.AddonGrammarEvaluationState(this.#model, compiled);
  }

  /**
   * Returns the first tokens of a text that the grammar forces, at most `most` of them. Advances the state of the
   * grammar past these tokens.
   */
  #acceptForced(text: string, most: number, state: object | undefined): readonly Token[] {
    if (text === "" || state === undefined) return [];
    const tokens = [...this.#model.tokenize(text, false)].slice(0, most);
    for (const token of tokens) this.#addon.AddonSampler.acceptGrammarEvaluationStateToken(state, token);
    return tokens;
  }

  /**
   * Loads the stored state of these tokens, if there is one and the memory does not hold the tokens already. If a stored state does
   * not fit, the answer fails.
   */
  async #restore(head: readonly Token[]): Promise<void> {
    if (countShared(this.#held, head) === head.length) return;
    const path = this.#stateOf(head);
    if (path === undefined) return;
    this.#forget();
    try {
      const read = await this.#context.loadSequenceStateFromFile(path, 0, this.contextTokens);
      if (read.length !== head.length || countShared([...read], head) !== head.length)
        throw new Error(`${path} is a state of other tokens`);
      this.#held = [...head];
    } finally {
      // A state that was loaded only in part must not be used for any conversation.
      if (this.#held.length === 0) this.#forget();
    }
  }

  #forget(): void {
    if (!this.#forgetFrom(0)) throw new Error("the engine does not forget what it was asked before");
    this.#held = [];
  }

  #forgetFrom(place: number): boolean {
    return this.#context.removeTokenCellsFromSequence(0, place, -1);
  }

  /**
   * Computes those of the tokens that the memory does not hold yet. Returns the index from which the next token can be
   * sampled, or `undefined` if `signal` aborted before that.
   */
  async #read(tokens: readonly Token[], signal: AbortSignal): Promise<number | undefined> {
    // Compute the last token again even if the memory holds it: only this yields the probabilities of the next token.
    const shared = Math.min(countShared(this.#held, tokens), tokens.length - 1);
    // Weights of some kinds have no separate state for each token, and can only forget the whole conversation.
    if (shared < this.#held.length && !this.#forgetFrom(shared)) this.#forget();
    this.#held = this.#held.slice(0, shared);
    let place: number | undefined;
    while (this.#held.length < tokens.length) {
      if (signal.aborted) return undefined;
      const at = this.#held.length;
      place = await this.#append(tokens.slice(at, at + computeBatchTokens(at)));
    }
    return place;
  }

  async #append(tokens: readonly Token[]): Promise<number | undefined> {
    this.#context.initBatch(tokens.length);
    const asked = Uint32Array.of(tokens.length - 1);
    const places = this.#context.addToBatch(0, this.#held.length, Uint32Array.from(tokens), asked);
    await this.#context.decodeBatch();
    this.computed += tokens.length;
    this.#held.push(...tokens);
    return places[0];
  }
}

interface Bias {
  readonly tokenBiasKeys?: Uint32Array;
  readonly tokenBiasValues?: Float32Array;
}

const NO_BIAS: Bias = {};

const makeBias = (tokens: readonly Token[], nats: number): Bias => ({
  tokenBiasKeys: Uint32Array.from(tokens),
  tokenBiasValues: new Float32Array(tokens.length).fill(nats),
});

/** Returns a bias against every token with which a call can begin. */
function computeHesitation(model: AddonModel, reluctance: number): Bias {
  if (reluctance === 0) return NO_BIAS;
  const beginnings = Array.from(BEFORE_NAME, (_, end) => [...model.tokenize(BEFORE_NAME.slice(0, end + 1), false)]);
  return makeBias(
    beginnings.flatMap((tokens) => (tokens.length === 1 ? tokens : [])),
    -reluctance,
  );
}

function countShared(held: readonly Token[], wanted: readonly Token[]): number {
  const differs = wanted.findIndex((token, index) => held[index] !== token);
  return differs === -1 ? wanted.length : differs;
}

/** Removes a partial character at the end; a later token completes it. */
function trimPartialCharacter(text: string): string {
  return text.replace(/\ufffd{1,3}$/, "");
}
