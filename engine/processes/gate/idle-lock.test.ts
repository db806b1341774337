// Tests the idle lock against a simple model, which computes the expected result anew at each step.
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { Answer } from "../../lib/wire/generated/wire.ts";
import { IdleLock } from "./idle-lock.ts";

afterEach(() => {
  vi.useRealTimers();
});

type Act =
  | { readonly kind: "wait" | "own" | "move"; readonly ms: number }
  | { readonly kind: "login"; readonly ms: number }
  | { readonly kind: "word" | "logout" | "question" }
  | { readonly kind: "answer"; readonly answer: Answer | undefined };

const ofKind = <Kind extends string>(kind: Kind) => fc.record({ kind: fc.constant(kind) });
const anyMs = (kind: "own" | "move" | "login") =>
  fc.record({ kind: fc.constant(kind), ms: fc.constantFrom(0, 1, 4, 6, 9) });
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 4, arbitrary: anyMs("own") },
  { weight: 6, arbitrary: anyMs("move") },
  { weight: 6, arbitrary: anyMs("login") },
  { weight: 3, arbitrary: ofKind("word") },
  { weight: 1, arbitrary: ofKind("logout") },
  { weight: 3, arbitrary: ofKind("question") },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      answer: fc.constantFrom<(Answer | undefined)[]>("granted", "denied", "cancelled", "timedOut", undefined),
    }),
  },
);

test("property: locks once the shorter idle time has passed after the last input, unless a question waits", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 20, maxLength: 40 }), async (acts) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
      const locks: string[] = [];
      const lock = new IdleLock((why) => {
        locks.push(why);
        lock.end();
      });
      const waiting: PromiseWithResolvers<Answer | undefined>[] = [];
      const asked: Promise<unknown>[] = [];
      // Computes the expected result anew at each millisecond.
      let [now, isOpen, page, own, said, expected] = [0, false, 0, 0, 0, 0];
      const look = () => {
        const times = [page, own].filter((ms) => ms > 0);
        if (!isOpen || times.length === 0 || waiting.length > 0 || now < said + Math.min(...times)) return;
        [isOpen, own, expected] = [false, 0, expected + 1];
      };
      for (const act of acts) {
        switch (act.kind) {
          case "wait":
            for (let passed = 0; passed < act.ms; passed += 1) {
              await vi.advanceTimersByTimeAsync(1);
              now += 1;
              look();
            }
            break;
          case "own":
            if (!isOpen) break;
            lock.setOwn(act.ms);
            [own, said] = [act.ms, now];
            break;
          case "move":
            lock.moveTo(act.ms);
            page = act.ms;
            break;
          case "login":
            if (isOpen) break;
            lock.begin(act.ms);
            [isOpen, page, said] = [true, act.ms, now];
            break;
          case "word":
            lock.touch();
            said = now;
            break;
          case "logout":
            lock.end();
            [isOpen, own] = [false, 0];
            break;
          case "question": {
            const one = Promise.withResolvers<Answer | undefined>();
            waiting.push(one);
            asked.push(
              lock.waitWhileAsking(async () => {
                const answer = await one.promise;
                return answer && { answer, signature: "", askedMs: 1 };
              }),
            );
            break;
          }
          case "answer":
            if (waiting.length === 0) break;
            waiting.shift()?.resolve(act.answer);
            await asked.shift();
            if (act.answer !== undefined && act.answer !== "timedOut") said = now;
            break;
        }
        await vi.advanceTimersByTimeAsync(0);
        look();
        expect(locks).toHaveLength(expected);
      }
      lock.end();
      vi.useRealTimers();
    }),
    { numRuns: 300 },
  );
});

test("a failed question does not count as input", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const locks: string[] = [];
  const lock = new IdleLock((why) => void locks.push(why));
  lock.begin(10);
  const one = Promise.withResolvers<never>();
  const asked = lock.waitWhileAsking(() => one.promise);
  await vi.advanceTimersByTimeAsync(20);
  expect(locks).toEqual([]);
  one.reject(new Error("the console is gone"));
  await expect(asked).rejects.toThrow("the console is gone");
  await vi.advanceTimersByTimeAsync(0);
  expect(locks).toEqual(["the page's idle time is over"]);
});
