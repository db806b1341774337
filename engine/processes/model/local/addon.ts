// Types of the used part of node-llama-cpp's prebuilt binding, which is the native module itself. Its JavaScript package is not used,
// because it forks to test bindings, builds one if none fits, and downloads files.

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
  /** Levels: 1 is fatal, 2 errors, 3 warnings. */
  readonly setLoggerLogLevel: (level: number) => void;
  /** Loads the compute backends from a folder; loads none, without an error, if they do not fit the processor. */
  readonly loadBackends: (folder?: string) => void;
  /** Returns an empty text until a compute backend is loaded. */
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
  /** Returns the tokens of a text. With `special`, texts like <|im_start|> become special tokens; without it they are plain characters. */
  readonly tokenize: (text: string, special: boolean) => Uint32Array;
  readonly detokenize: (tokens: Uint32Array, special: boolean) => string;
  readonly isEogToken: (token: Token) => boolean;
  /** -1 if the model has none. */
  readonly tokenBos: () => Token;
  readonly tokenEos: () => Token;
  /**
   * Returns whether a text to embed must begin with the first of these tokens. The next function returns whether it must end with the
   * second.
   */
  readonly shouldPrependBosToken: () => boolean;
  readonly shouldAppendEosToken: () => boolean;
}

interface ContextOptions {
  readonly contextSize: number;
  readonly batchSize: number;
  readonly sequences: 1;
  readonly threads: number;
  readonly flashAttention: false;
  /** Whether it computes vectors instead of tokens. */
  readonly embeddings?: boolean;
}

export interface AddonContext {
  readonly init: () => Promise<boolean>;
  readonly initBatch: (tokens: number) => void;
  /** Returns the indexes in the batch of the tokens in `asked`, whose successors are computed. */
  readonly addToBatch: (sequence: 0, at: number, tokens: Uint32Array, asked: Uint32Array) => Uint32Array;
  readonly decodeBatch: () => Promise<void>;
  /** -1 if the grammar allows no token. */
  readonly sampleToken: (place: number, sampler: AddonSampler) => Promise<Token>;
  /**
   * Returns the embedding of the last batch, which has `tokens` tokens. It is pooled as the model defines; if the model defines no pooling,
   * it is that of the last token.
   */
  readonly getEmbedding: (tokens: number) => Float64Array;
  /** Removes tokens from one position up to another. Returns false if the model cannot remove a part. */
  readonly removeTokenCellsFromSequence: (sequence: 0, from: number, to: number) => boolean;
  /** Fails if the file cannot be written. */
  readonly saveSequenceStateToFile: (path: string, sequence: 0, tokens: Uint32Array) => Promise<number>;
  /** Replaces the state with the one in the file. Returns the tokens in the file; fails if the file does not fit the model. */
  readonly loadSequenceStateFromFile: (path: string, sequence: 0, mostTokens: number) => Promise<Uint32Array>;
}

interface AddonSampler {
  readonly applyConfig: (config: {
    /** At 0 the likeliest token is always taken. */
    readonly temperature: number;
    readonly seed: number;
    readonly grammarEvaluationState?: object;
    /** Bias added to the model's scores of these tokens, in the same order. */
    readonly tokenBiasKeys?: Uint32Array;
    readonly tokenBiasValues?: Float32Array;
  }) => void;
  readonly dispose: () => void;
}
