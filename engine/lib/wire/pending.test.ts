import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { Deadlines, type TimedEntry } from "./pending.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Returns waiting calls by number, and a list of the expired calls with the time of their expiry. */
function waitingRoom() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const waiting = new Map<number, TimedEntry>();
  const expired: [call: number, at: number][] = [];
  const deadlines = new Deadlines(() => waiting.values());
  const begin = performance.now();
  const call = (number: number, ms: number) => {
    const expire = () => {
      waiting.delete(number);
      expired.push([number, Math.round(performance.now() - begin)]);
    };
    waiting.set(number, { deadline: deadlines.setDeadline(ms), expire });
  };
  return { waiting, expired, deadlines, call };
}

test("each unanswered call expires at its own deadline, whatever the order of the deadlines", () => {
  const times = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 500 }), isAnswered: fc.boolean() }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(times, (calls) => {
      const { waiting, expired, call } = waitingRoom();
      for (const [number, { ms }] of calls.entries()) call(number, ms);
      for (const [number, { isAnswered }] of calls.entries()) if (isAnswered) waiting.delete(number);
      vi.advanceTimersByTime(1000);
      const late = calls.flatMap(({ ms, isAnswered }, number) => (isAnswered ? [] : [[number, ms]]));
      expect(expired.sort(([a], [b]) => a - b)).toEqual(late);
      vi.useRealTimers();
    }),
    { numRuns: 50 },
  );
});

test("supports a deadline longer than one timer allows", () => {
  const { expired, call } = waitingRoom();
  call(1, 2 ** 31 + 1000);
  vi.advanceTimersByTime(2 ** 31);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(expired).toEqual([[1, 2 ** 31 + 1000]]);
});

test("sets no timer if no call has a deadline", () => {
  const { call, waiting, deadlines } = waitingRoom();
  call(1, 10);
  call(2, 20);
  expect(vi.getTimerCount()).toBe(1);
  waiting.clear();
  vi.advanceTimersByTime(30);
  expect(vi.getTimerCount()).toBe(0);
  call(3, 10);
  deadlines.end();
  expect(vi.getTimerCount()).toBe(0);
});
