// Simulates an engine whose behaviour a test sets. Each letter is a token, and token 0 ends an answer.

import type { Addon, Token } from "../addon.ts";

export interface StandIn {
  /** Called with the size of each batch while it is computed. */
  readonly computed?: (tokens: number) => void;
  /** Returns the token that follows the remembered tokens. */
  readonly next?: (memory: readonly Token[]) => Token;
  /** Returns whether the simulated engine can remove the tokens from this position on from its memory. */
  readonly forgets?: (from: number) => boolean;
}

const LETTER = 97;

export function standIn({ computed = () => {}, next = () => LETTER, forgets = () => true }: StandIn): Addon {
  let memory: readonly Token[] = [];
  let batch: readonly Token[] = [];
  class Model {
    init = async () => true;
    tokenize = (text: string) => Uint32Array.from(text, (letter) => letter.charCodeAt(0));
    detokenize = (tokens: Uint32Array) => String.fromCharCode(...tokens);
    isEogToken = (token: Token) => token === 0;
    tokenBos = () => -1;
    tokenEos = () => -1;
    shouldPrependBosToken = () => false;
    shouldAppendEosToken = () => false;
  }
  class Context {
    init = async () => true;
    initBatch = () => {};
    addToBatch = (_: 0, at: number, tokens: Uint32Array) => {
      if (at !== memory.length) throw new Error(`it remembers ${memory.length} tokens, and these begin at ${at}`);
      batch = [...tokens];
      return Uint32Array.of(0);
    };
    decodeBatch = async () => {
      computed(batch.length);
      memory = [...memory, ...batch];
    };
    sampleToken = async () => next(memory);
    getEmbedding = () => new Float64Array();
    removeTokenCellsFromSequence = (_: 0, from: number) => {
      if (!forgets(from)) return false;
      memory = memory.slice(0, from);
      return true;
    };
    saveSequenceStateToFile = async () => 0;
    loadSequenceStateFromFile = async () => Uint32Array.of();
  }
  class Sampler {
    static acceptGrammarEvaluationStateToken = () => {};
    applyConfig = () => {};
    dispose = () => {};
  }
  const nothing = class {};
  return {
    AddonModel: Model,
    AddonContext: Context,
    AddonSampler: Sampler,
    AddonGrammar: nothing,
    AddonGrammarEvaluationState: nothing,
    setLogger: () => {},
    setLoggerLogLevel: () => {},
    loadBackends: () => {},
    systemInfo: () => "",
    init: async () => {},
  };
}
