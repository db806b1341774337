// Tests a model without a tokenizer: the loop then counts tokens by the rules of the specification that
// engine/lib/context implements. Four characters are a token, the system prompt is never evicted, and the oldest saying
// is evicted first.

import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ContextWindow, estimateTokens, MESSAGE_TOKENS } from "../../lib/context/index.ts";
import { LanguageModel } from "../../lib/wire/generated/capos.ts";
import { connect, implement, makeFailure, serveInterface } from "../../lib/wire/index.ts";
import { serveAnswers } from "../model/answering.ts";
import { Permits } from "../model/permits.ts";
import { createStubInfo, serveModel } from "../model/serve.ts";
import { createUserSaying } from "./history.ts";
import { createSystemMessage, SYSTEM_PROMPT } from "./messages.ts";
import { computeRoom, ModelTokens } from "./tokens.ts";
import { assembleMessages, findEvicted, measureSizes } from "./window.ts";

/** Returns a token counter for the stub of the image, a model that has no tokenizer. */
function withoutTokenizer(): ModelTokens {
  const [mine, theirs] = duplexPair();
  serveModel(theirs, { replies: [], info: createStubInfo("stub") }, new Permits());
  return new ModelTokens(connect(mine));
}

test("for a model without a tokenizer, estimates one token for every four characters and marks the estimate", async () => {
  const tokens = withoutTokenizer();
  expect(tokens.isEstimated).toBe(false);
  expect(await tokens.count(["", "a", "abcd", "abcde", "x".repeat(16_384)])).toEqual([0, 1, 1, 2, 4096]);
  expect(tokens.isEstimated).toBe(true);
});

test("asks a model with a tokenizer for its count, and does not estimate", async () => {
  const [mine, theirs] = duplexPair();
  const unused = async () => makeFailure("failed", "not asked for here");
  const countTokens = async ({ texts }: { readonly texts: readonly string[] }) => ({ counts: texts.map(() => 7) });
  serveInterface(theirs, [implement(LanguageModel, { info: unused, complete: unused, stream: unused, countTokens })]);
  const tokens = new ModelTokens(connect(mine));
  expect(await tokens.count(["", "abcdefgh"])).toEqual([7, 7]);
  expect(tokens.isEstimated).toBe(false);
});

test("asks a model without a tokenizer for a count only once", async () => {
  const [mine, theirs] = duplexPair();
  let asked = 0;
  const unused = async () => makeFailure("failed", "not asked for here");
  const countTokens = async () => {
    asked += 1;
    return makeFailure("failed", "this model has no tokenizer at hand");
  };
  serveInterface(theirs, [implement(LanguageModel, { info: unused, complete: unused, stream: unused, countTokens })]);
  const tokens = new ModelTokens(connect(mine));
  expect([await tokens.count(["abcd"]), await tokens.count(["abcde"]), asked]).toEqual([[1], [2], 1]);
});

test("estimates tokens while the gate permits no count, and lets the model count when the gate permits it", async () => {
  const [mine, theirs] = duplexPair();
  const permits = new Permits();
  const begin = async () => makeFailure("failed", "not asked for here");
  serveAnswers(theirs, { info: createStubInfo("local"), mostTools: 1, count: () => 7, begin }, permits);
  const tokens = new ModelTokens(connect(mine));
  expect([await tokens.count(["abcdefgh"]), tokens.isEstimated]).toEqual([[2], true]);
  permits.allow(Buffer.from("one"), 9);
  expect([await tokens.count(["abcdefgh"]), tokens.isEstimated]).toEqual([[7], false]);
});

test("a model that does not state its context size counts as a model with a context of 4096 tokens", () => {
  expect(computeRoom({ ...createStubInfo("stub"), contextTokens: 0, outputTokens: 0 }, 96)).toEqual({
    contextTokens: 4096,
    budgetTokens: 4000,
  });
});

/**
 * Text that is added to each message of the context window. With this text the message counts as many tokens as a
 * message of the loop, which also contains its role.
 */
const AROUND = "#".repeat(MESSAGE_TOKENS * 4);
/** Share of a request that remains in use after an eviction. */
const KEPT = 0.75;

test("property: the loop evicts the same sayings as `ContextWindow`, and never the system prompt", async () => {
  const tokens = withoutTokenizer();
  const prompt = estimateTokens(SYSTEM_PROMPT) + MESSAGE_TOKENS;
  let evictions = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ maxLength: 300, size: "max" }), { minLength: 1, maxLength: 30, size: "max" }),
      fc.integer({ min: 3 * prompt, max: 8 * prompt }),
      async (texts, budget) => {
        const limits = { tokens: budget, bytes: 1 << 20 };
        const sayings = texts.map((text, turn) => createUserSaying(text, turn + 1));
        const evicted = await findEvicted({ summary: undefined, sayings }, limits, tokens);

        const whole = ContextWindow.open(budget, SYSTEM_PROMPT + AROUND);
        const kept = ContextWindow.open(Math.floor(budget * KEPT), SYSTEM_PROMPT + AROUND);
        if (!whole.ok || !kept.ok) throw new Error("the prompt has room");
        const overflows = texts.flatMap((text) => whole.value.push("user", text + AROUND)).length > 0;
        const gone = texts.flatMap((text) => kept.value.push("user", text + AROUND)).map(({ content }) => content);
        // The newest saying stays, however long it is, because it is being answered.
        const expected = overflows ? gone.slice(0, texts.length - 1) : [];
        expect(evicted.map(({ text }) => text + AROUND)).toEqual(expected);
        evictions += expected.length;

        const shown = sayings.filter((saying) => !evicted.includes(saying));
        const made = await assembleMessages({ summary: undefined, sayings: shown }, limits, tokens);
        expect(made?.messages.map(({ content }) => content)).toEqual([SYSTEM_PROMPT, ...shown.map(({ text }) => text)]);
        expect(made?.tokens).toBeLessThanOrEqual(budget);
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
  expect(evictions).toBeGreaterThan(100);
});

test("estimates the tokens of the system prompt like those of a message", async () => {
  const [size] = await measureSizes([createSystemMessage(SYSTEM_PROMPT)], withoutTokenizer());
  expect(size?.tokens).toBe(Math.ceil(SYSTEM_PROMPT.length / 4) + MESSAGE_TOKENS);
});
