// An interrupt of a busy engine, without a clock: what is computed after it is at most what was being computed, which is one
// batch of a long prompt or one token of an answer.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Addon } from "./addon.ts";
import { Decoder } from "./decoder.ts";

const BATCH_TOKENS = 64;
const CONTEXT_TOKENS = 2048;

/** An engine that knows one word. `computed`: told of each batch while it is computed, with its size. */
function engine(computed: (tokens: number) => void): Addon {
  let size = 0;
  class Model {
    init = async () => true;
    tokenize = (text: string) => Uint32Array.from(text, (letter) => letter.charCodeAt(0));
    detokenize = (tokens: Uint32Array) => "a".repeat(tokens.length);
    isEogToken = () => false;
    tokenBos = () => -1;
    tokenEos = () => -1;
    shouldPrependBosToken = () => false;
    shouldAppendEosToken = () => false;
  }
  class Context {
    init = async () => true;
    initBatch = (tokens: number) => {
      size = tokens;
    };
    addToBatch = () => Uint32Array.of(0);
    decodeBatch = async () => computed(size);
    sampleToken = async () => 97;
    getEmbedding = () => new Float64Array();
    removeTokenCellsFromSequence = () => true;
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

test("law: after an interrupt the engine computes nothing, whatever it was busy with, and takes the next question", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1500 }), fc.integer({ min: 1, max: 40 }), async (prompt, at) => {
      const pressed = new AbortController();
      const batches: number[] = [];
      const addon = engine((tokens) => {
        batches.push(tokens);
        if (batches.length === at) pressed.abort();
      });
      const decoder = await Decoder.open(addon, "", { contextTokens: CONTEXT_TOKENS, threads: 1 });
      if (decoder === undefined) throw new Error("the engine does not open");
      const asked = { prompt: Array.from({ length: prompt }, () => 97), mostTokens: 30, temperature: 0 };
      let told = 0;
      for await (const text of decoder.answer(asked, pressed.signal)) told += text.length;
      const whole = Math.ceil(prompt / BATCH_TOKENS) + 30;
      expect(batches.length).toBe(Math.min(at, whole));
      expect(Math.max(...batches)).toBeLessThanOrEqual(BATCH_TOKENS);
      const isInterrupted = at <= whole - 1;
      if (isInterrupted) expect(told).toBe(Math.max(0, at - Math.ceil(prompt / BATCH_TOKENS)));
      const next = decoder.answer({ ...asked, mostTokens: 1 }, new AbortController().signal);
      expect((await next.next()).done).toBe(false);
      await next.return(undefined);
    }),
    { numRuns: 30 },
  );
});
