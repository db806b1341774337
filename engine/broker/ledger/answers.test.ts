import fc from "fast-check";
import { expect, test } from "vitest";
import { indexed } from "../../policy/testing/sample.ts";
import { Answers, MOST_ANSWER_TOKENS } from "./answers.ts";
import type { Counted } from "./ledger.ts";
import { Counter } from "./tally.ts";
import { quota, TestWorld } from "./testing/ledgers.ts";

function opened(...words: readonly string[]) {
  const counted: readonly Counted[] = words.map((one) => ({ quota: quota(one), tally: new Counter("later") }));
  const answers = new Answers(indexed(), new TestWorld(), () => undefined);
  return { answers, counted, spent: () => counted.map(({ tally }) => Number(tally.spent)) };
}

test("what is left of the scarcest quota is reserved, and what was not used is given back to all", () => {
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

test("without a quota of tokens one answer has a limit all the same; answers of a backend are counted", () => {
  const { answers, counted } = opened("1 calls per login");
  expect(answers.reserve([])).toMatchObject({ mostTokens: MOST_ANSWER_TOKENS });
  expect(answers.reserve(counted)).toMatchObject({ mostTokens: MOST_ANSWER_TOKENS });
  expect(answers.reserve(counted)).toHaveProperty("exhausted");
});

test("a worker that used more than it was allowed is charged for it, and the next answer is refused", () => {
  const { answers, counted, spent } = opened("10 tokens per login");
  const reserved = answers.reserve(counted);
  if ("lease" in reserved) answers.settle(reserved.lease, 15n);
  expect(spent()).toEqual([15]);
  expect(answers.reserve(counted)).toHaveProperty("exhausted");
});

test("whatever answers use, and whether their end is told, honest workers never go beyond a quota", () => {
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
