// Tests the decoder with a simulated engine that lacks features of real engines.

import { expect, test } from "vitest";
import { Decoder } from "./decoder.ts";
import { type StandIn, standIn } from "./testing/stand-in.ts";

const NEVER = new AbortController().signal;

async function opened(engine: StandIn): Promise<Decoder> {
  const decoder = await Decoder.open(standIn(engine), "", { contextTokens: 64, threads: 1 });
  if (decoder === undefined) throw new Error("the engine does not open");
  return decoder;
}

async function said(decoder: Decoder, words: string, mostTokens = 8): Promise<string> {
  const prompt = decoder.tokenize([{ text: words, isMark: false }]);
  return (await Array.fromAsync(decoder.answer({ prompt, mostTokens, temperature: 0 }, NEVER))).join("");
}

/** Returns a letter that depends on all tokens in the memory. */
const next = (memory: readonly number[]): number => 97 + (memory.reduce((sum, token) => sum * 3 + token, 0) % 26);

test("a model that can forget its state only as a whole reads the whole prompt again, and answers like other models", async () => {
  const requests = ["one", "one more", "other", "one", "one"];
  const forgetful = await opened({ next, forgets: (from) => from === 0 });
  for (const words of requests) {
    const alone = await said(await opened({ next }), words);
    expect(alone.length).toBe(8);
    expect(await said(forgetful, words)).toBe(alone);
  }
});

test("if a model cannot forget its state, each request after the first fails and does not get an empty answer", async () => {
  const clinging = await opened({ next, forgets: () => false });
  expect(await said(clinging, "one")).not.toBe("");
  for (const words of ["one", "other", "one more"])
    await expect(said(clinging, words)).rejects.toThrow("the engine does not forget what it was asked before");
});

/** Returns the pieces of an answer, and the reason of its end. */
async function whole(engine: StandIn, mostTokens: number, stop = NEVER) {
  const decoder = await opened(engine);
  const prompt = decoder.tokenize([{ text: "one", isMark: false }]);
  const texts = decoder.answer({ prompt, mostTokens, temperature: 0 }, stop);
  let said = 0;
  for (;;) {
    const next = await texts.next();
    if (next.done === true) return [said, next.value];
    said += next.value.length;
  }
}

test("states why an answer ended: complete, cut or stopped", async () => {
  const endsBehind = (tokens: number) => ({ next: (memory: readonly number[]) => (memory.length < tokens ? 97 : 0) });
  expect(await whole(endsBehind(7), 8)).toEqual([4, "whole"]);
  expect(await whole({ next: () => -1 }, 8)).toEqual([0, "whole"]);
  expect(await whole({}, 8)).toEqual([8, "cut"]);
  // The memory has 64 tokens, three of which are the prompt.
  expect(await whole({}, 100)).toEqual([61, "cut"]);
  expect(await whole({}, 8, AbortSignal.abort())).toEqual([0, "stopped"]);
  const stop = new AbortController();
  let batches = 0;
  const computed = (): void => {
    batches += 1;
    if (batches === 3) stop.abort();
  };
  expect(await whole({ computed }, 8, stop.signal)).toEqual([2, "stopped"]);
});
