// The used part of node-llama-cpp's prebuilt binding: the native module itself. The JavaScript package of node-llama-cpp is omitted,
// because it forks to test bindings, builds them if none fits, and downloads files.

export type Token = number;

export interface Addon {
  readonly AddonModel: new (path: string, options: ModelOptions) => AddonModel;
  readonly AddonContext: new (model: AddonModel, options: ContextOptions) => AddonContext;
  readonly AddonGrammar: new (code: string, options: { readonly addonExports: Addon }) => object;
  readonly AddonGrammarEvaluationState: new (model: AddonModel, grammar: object) => object;
  readonly AddonSampler: {
    new (model: AddonModel): AddonSampler;
    /** Advances the grammar as if the token had been sampled. */
    readonly acceptGrammarEvaluationStateToken: (state: object, token: Token) => void;
  };
  readonly setLogger: (write: (level: number, text: string) => void) => void;
  /** Sets which messages are logged: 1 only fatal errors, 2 also other errors, 3 also warnings. */
  readonly setLoggerLogLevel: (level: number) => void;
  /** Loads the compute backends from a folder; silently loads none if they do not fit the processor. */
  readonly loadBackends: (folder?: string) => void;
  /** Returns a description of the compute backends; empty until one is loaded. */
  readonly systemInfo: () => string;
  readonly init: () => Promise<void>;
}

interface ModelOptions {
  readonly addonExports: Addon;
  readonly gpuLayers: 0;
  readonly useMmap: true;
  /** Checks for NaN and infinite numbers, which some hostile files have. */
  readonly checkTensors: true;
}

export interface AddonModel {
  /** Resolves with false if the engine refuses the file. */
  readonly init: () => Promise<boolean>;
  /** Returns the tokens of a text. With `special`, words like <|im_start|> are special tokens, otherwise plain characters. */
  readonly tokenize: (text: string, special: boolean) => Uint32Array;
  readonly detokenize: (tokens: Uint32Array, special: boolean) => string;
  readonly isEogToken: (token: Token) => boolean;
  /** Returns the token that begins a text, or -1 if the model has no such token. */
  readonly tokenBos: () => Token;
  readonly tokenEos: () => Token;
  /** Whether the token of `tokenBos` precedes a text to embed, and the token of `tokenEos` follows it. */
  readonly shouldPrependBosToken: () => boolean;
  readonly shouldAppendEosToken: () => boolean;
}

interface ContextOptions {
  readonly contextSize: number;
  readonly batchSize: number;
  readonly sequences: 1;
  readonly threads: number;
  readonly flashAttention: false;
  /** Whether the model computes vectors instead of tokens. */
  readonly embeddings?: boolean;
}

export interface AddonContext {
  readonly init: () => Promise<boolean>;
  readonly initBatch: (tokens: number) => void;
  /**
   * Adds tokens to the batch, to be stored from position `at` on. `asked` selects the tokens whose successors are
   * wanted; returns their indexes in the batch.
   */
  readonly addToBatch: (sequence: 0, at: number, tokens: Uint32Array, asked: Uint32Array) => Uint32Array;
  readonly decodeBatch: () => Promise<void>;
  /** Returns the chosen token; -1 if the grammar allows no token here. */
  readonly sampleToken: (place: number, sampler: AddonSampler) => Promise<Token>;
  /**
   * Returns the embedding of the last batch, which has `tokens` tokens. The embedding is pooled as the model defines;
   * if the model defines no pooling, it is that of the last token.
   */
  readonly getEmbedding: (tokens: number) => Float64Array;
  /**
   * Removes tokens from one position up to another. Returns false if the model's memory cannot remove only some of its
   * tokens.
   */
  readonly removeTokenCellsFromSequence: (sequence: 0, from: number, to: number) => boolean;
  /** Writes the state of the sequence to a file; fails if the file cannot be written. */
  readonly saveSequenceStateToFile: (path: string, sequence: 0, tokens: Uint32Array) => Promise<number>;
  /** Replaces the sequence's state by the state in the file. Returns the tokens in the file; fails if the state does not fit the model. */
  readonly loadSequenceStateFromFile: (path: string, sequence: 0, mostTokens: number) => Promise<Uint32Array>;
}

interface AddonSampler {
  readonly applyConfig: (config: {
    /** The temperature of sampling; 0 means that the likeliest token is always chosen. */
    readonly temperature: number;
    readonly seed: number;
    readonly grammarEvaluationState?: object;
    /** Tokens whose scores get a bias: `tokenBiasValues` has the bias of each token, in the same order. */
    readonly tokenBiasKeys?: Uint32Array;
    readonly tokenBiasValues?: Float32Array;
  }) => void;
  readonly dispose: () => void;
}
