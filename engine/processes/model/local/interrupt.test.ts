// Tests an interrupt of a busy engine, without a clock. After Ctrl-C the engine completes at most the current batch of a prompt, or the
// current token of an answer.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Decoder } from "./decoder.ts";
import { standIn } from "./testing/stand-in.ts";

const CONTEXT_TOKENS = 2048;

/**
 * Maximum work of a batch. The work is the number of its tokens times the cost of a token, which grows with the number
 * of tokens in the memory. A batch of the smallest size may exceed this maximum.
 */
const MOST_WORK = 25_000;
const LEAST_BATCH_TOKENS = 4;
const workOf = (tokens: number, held: number) => tokens * (576 + held);

async function opened(computed: (tokens: number) => void): Promise<Decoder> {
  const decoder = await Decoder.open(standIn({ computed }), "", { contextTokens: CONTEXT_TOKENS, threads: 1 });
  if (decoder === undefined) throw new Error("the engine does not open");
  return decoder;
}

test("property: after an interrupt the engine computes no more, and accepts the next request", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1990 }), fc.integer({ min: 1, max: 180 }), async (prompt, at) => {
      const asked = { prompt: Array.from({ length: prompt }, () => 97), mostTokens: 30, temperature: 0 };
      const whole: number[] = [];
      const undisturbed = await opened((tokens) => whole.push(tokens));
      for await (const _ of undisturbed.answer(asked, new AbortController().signal));
      const reads = whole.length - 30;
      expect(whole.slice(0, reads).reduce((sum, tokens) => sum + tokens, 0)).toBe(prompt);

      const pressed = new AbortController();
      const batches: number[] = [];
      const decoder = await opened((tokens) => {
        batches.push(tokens);
        if (batches.length === at) pressed.abort();
      });
      let told = 0;
      for await (const text of decoder.answer(asked, pressed.signal)) told += text.length;
      expect(batches).toEqual(whole.slice(0, at));
      const isInterrupted = at <= whole.length - 1;
      if (isInterrupted) expect(told).toBe(Math.max(0, at - reads));
      const next = decoder.answer({ ...asked, mostTokens: 1 }, new AbortController().signal);
      expect((await next.next()).done).toBe(false);
      await next.return("stopped");
    }),
    { numRuns: 30 },
  );
});

test("batches of the prompt shrink as the conversation grows, so that each batch costs nearly the maximum work", async () => {
  const batches: number[] = [];
  const decoder = await opened((tokens) => batches.push(tokens));
  const prompt = Array.from({ length: 2000 }, () => 97);
  await decoder.answer({ prompt, mostTokens: 1, temperature: 0 }, new AbortController().signal).next();
  let held = 0;
  for (const tokens of batches.slice(0, -1)) {
    expect(workOf(tokens, held)).toBeLessThanOrEqual(MOST_WORK);
    expect(workOf(tokens + LEAST_BATCH_TOKENS + 1, held)).toBeGreaterThan(MOST_WORK - 1000);
    held += tokens;
  }
  expect(batches[0]).toBe(40);
  expect(batches.at(-2)).toBe(8);
});
