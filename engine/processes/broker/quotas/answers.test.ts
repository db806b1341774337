import fc from "fast-check";
import { expect, test } from "vitest";
import { indexed } from "../../../lib/policy/testing/sample.ts";
import { Answers, MOST_ANSWER_TOKENS } from "./answers.ts";
import { FREE } from "./price.ts";
import type { CountedQuota } from "./quota-ledger.ts";
import { Counter } from "./tally.ts";
import { quota, TestWorld } from "./testing/quota-ledgers.ts";

function opened(...words: readonly string[]) {
  const counted: readonly CountedQuota[] = words.map((one) => ({ quota: quota(one), tally: new Counter("later") }));
  const answers = new Answers(indexed(), new TestWorld(), () => undefined);
  return { answers, counted, spent: () => counted.map(({ tally }) => Number(tally.spent)) };
}

test("an answer reserves the remaining tokens of the scarcest quota, and returns unused tokens to all token quotas", () => {
  const { answers, counted, spent } = opened("100 tokens per turn", "60 tokens per login", "9 calls per login");
  const reserved = answers.reserve(counted);
  if (!("lease" in reserved)) throw new Error(reserved.exhausted);
  expect([reserved.mostTokens, spent()]).toEqual([60, [60, 60, 1]]);
  expect(answers.reserve(counted)).toEqual({
    exhausted: "60 tokens per login (a.cap:1:1): 60 of 60 spent; later",
  });
  expect(answers.settle(reserved.lease, 25n)).toBe(true);
  expect([answers.settle(reserved.lease, 25n), spent()]).toEqual([false, [25, 25, 1]]);
});

test("an answer without a token quota still has a token limit, and counts as one call of its backend", () => {
  const { answers, counted } = opened("1 calls per login");
  expect(answers.reserve([])).toMatchObject({ mostTokens: MOST_ANSWER_TOKENS });
  expect(answers.reserve(counted)).toMatchObject({ mostTokens: MOST_ANSWER_TOKENS });
  expect(answers.reserve(counted)).toHaveProperty("exhausted");
});

test("an answer reserves at most its model's context, so an answer that is never settled costs at most this context", () => {
  const { answers, counted, spent } = opened("1000 tokens per day", "9000 tokens per login");
  const reserved = answers.reserve(counted, FREE, 400);
  expect([reserved, spent()]).toMatchObject([{ mostTokens: 400 }, [400, 400]]);
  expect([answers.reserve(counted, FREE, 400), spent()]).toMatchObject([{ mostTokens: 400 }, [800, 800]]);
  expect([answers.reserve(counted, FREE, 400), spent()]).toMatchObject([{ mostTokens: 200 }, [1000, 1000]]);
  expect(answers.reserve(counted, FREE, 400)).toHaveProperty("exhausted");
  expect(answers.reserve([], FREE, 2 * MOST_ANSWER_TOKENS)).toMatchObject({ mostTokens: 2 * MOST_ANSWER_TOKENS });
});

test("charges a worker for tokens beyond its reservation, and refuses the next answer", () => {
  const { answers, counted, spent } = opened("10 tokens per login");
  const reserved = answers.reserve(counted);
  if ("lease" in reserved) answers.settle(reserved.lease, 15n);
  expect(spent()).toEqual([15]);
  expect(answers.reserve(counted)).toHaveProperty("exhausted");
});

test("honest workers never exceed a token quota, even if some answers are never settled", () => {
  const use = fc.record({ share: fc.nat(100), isTold: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.array(use), (amount, uses) => {
      const { answers, counted, spent } = opened(`${amount} tokens per login`);
      let used = 0;
      for (const { share, isTold } of uses) {
        const reserved = answers.reserve(counted);
        if (!("lease" in reserved)) continue;
        const tokens = Math.floor((reserved.mostTokens * share) / 100);
        used += tokens;
        if (isTold) answers.settle(reserved.lease, BigInt(tokens));
        expect(used).toBeLessThanOrEqual(spent()[0] ?? 0);
        expect(spent()[0]).toBeLessThanOrEqual(amount);
      }
    }),
  );
});

const PRICE = { currency: "EUR", inputMicros: 150_000n, outputMicros: 600_000n };
const money = (amount: bigint): CountedQuota => ({
  quota: { ...quota("1 calls per login"), unit: "money", name: "EUR", amount },
  tally: new Counter("later"),
});

test("reserves money at the higher token price, and settles prompt and answer tokens at the price of each", () => {
  const { answers } = opened();
  const one = money(60n);
  const reserved = answers.reserve([one], PRICE);
  // Tokens of an answer cost more than tokens of a prompt: 600,000 millionths for a million tokens. At this price, 60
  // millionths buy 100 tokens.
  expect([reserved, one.tally.spent]).toMatchObject([{ mostTokens: 100 }, 60n]);
  if ("lease" in reserved) answers.settle(reserved.lease, 50n, 10n);
  expect(one.tally.spent).toBe(12n);
  const next = answers.reserve([one], PRICE);
  if ("lease" in next) answers.settle(next.lease, 50n, 0n);
  // The kind of the tokens is unknown, so all are counted at the higher price.
  expect(one.tally.spent).toBe(42n);
});

test("refuses an answer of a paid backend if the remaining money buys no token, but not an answer of a free backend", () => {
  const { answers } = opened();
  const dear = { ...PRICE, inputMicros: 9_000_000n };
  const one = { ...money(1_500_000n) };
  one.tally.add(1_499_992n);
  expect(answers.reserve([one], dear)).toEqual({
    exhausted: "1.50 EUR per login (a.cap:1:1): 1.499992 of 1.50 spent; later",
  });
  const free = { ...PRICE, inputMicros: 0n, outputMicros: 0n };
  expect(answers.reserve([one], free)).toMatchObject({ mostTokens: MOST_ANSWER_TOKENS });
});

test("honest workers never exceed a money quota, whatever the price, and are charged at least their cost", () => {
  const micros = fc.bigInt(0n, 2_000_000n);
  const use = fc.record({ share: fc.nat(100), output: fc.nat(100), isTold: fc.boolean() });
  fc.assert(
    fc.property(fc.bigInt(1n, 5000n), micros, micros, fc.array(use), (amount, inputMicros, outputMicros, uses) => {
      const { answers } = opened();
      const one = money(amount);
      let cost = 0n;
      for (const { share, output, isTold } of uses) {
        const reserved = answers.reserve([one], { ...PRICE, inputMicros, outputMicros });
        if (!("lease" in reserved)) continue;
        const used = BigInt(Math.floor((reserved.mostTokens * share) / 100));
        const answered = (used * BigInt(output)) / 100n;
        cost += (used - answered) * inputMicros + answered * outputMicros;
        if (isTold) answers.settle(reserved.lease, used, answered);
        expect(one.tally.spent).toBeLessThanOrEqual(amount);
        expect(one.tally.spent * 1_000_000n).toBeGreaterThanOrEqual(cost);
      }
    }),
  );
});
