import fc from "fast-check";
import { expect, test } from "vitest";
import { type Scheduler, type Turn, Turns } from "./turns.ts";

/** Returns a clock that a test advances. */
function clock() {
  const due = new Set<() => void>();
  const after: Scheduler = (_, call) => {
    due.add(call);
    return () => due.delete(call);
  };
  const ring = (): void => {
    for (const call of [...due]) {
      due.delete(call);
      call();
    }
  };
  return { after, ring };
}

const NEVER = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a holder without a running request loses its turn to a waiting caller, which gets it when the holder releases it", async () => {
  const { after, ring } = clock();
  const turns = new Turns(after);
  const first = await turns.acquire(NEVER);
  ring();
  // No other caller waits, so the holder may take any time.
  expect(first?.lost.aborted).toBe(false);
  let second: Turn | undefined;
  void turns.acquire(NEVER).then((turn) => {
    second = turn;
  });
  ring();
  expect(first?.lost.aborted).toBe(true);
  await settled();
  // The first holder has not released its turn, so the engine may still compute for it, and the second caller waits.
  expect(second).toBeUndefined();
  first?.release();
  await settled();
  expect(second?.lost.aborted).toBe(false);
});

test("a holder that waits for the model keeps its turn, and a holder that makes the model wait loses its turn", async () => {
  const { after, ring } = clock();
  const turns = new Turns(after);
  const first = await turns.acquire(NEVER);
  // The holder makes two requests: one before another caller waits, and one after that. A loop may have two requests at
  // once.
  first?.beginRequest();
  void turns.acquire(NEVER);
  first?.beginRequest();
  ring();
  first?.endRequest();
  ring();
  expect(first?.lost.aborted).toBe(false);
  first?.endRequest();
  ring();
  expect(first?.lost.aborted).toBe(true);
});

test("a holder that has released its turn is not told that it lost the turn", async () => {
  const { after, ring } = clock();
  const turns = new Turns(after);
  const first = await turns.acquire(NEVER);
  first?.beginRequest();
  void turns.acquire(NEVER);
  first?.release();
  first?.endRequest();
  ring();
  expect(first?.lost.aborted).toBe(false);
});

test("a cancelled wait does not get the turn", async () => {
  const turns = new Turns(clock().after);
  const first = await turns.acquire(NEVER);
  const given = new AbortController();
  const second = turns.acquire(given.signal);
  given.abort();
  expect(await second).toBeUndefined();
  first?.release();
  expect(await turns.acquire(NEVER)).toBeDefined();
});

test("property: at most one holder has the turn, and a waiting holder gets it, in any order of events", async () => {
  const step = fc.constantFrom("come", "end", "ring", "giveUp", "ask", "serve");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { after, ring } = clock();
      const turns = new Turns(after);
      const held: Turn[] = [];
      const waiting: AbortController[] = [];
      let asking = new Set<Turn>();
      const come = (): void => {
        const given = new AbortController();
        waiting.push(given);
        void turns.acquire(given.signal).then((turn) => {
          waiting.splice(waiting.indexOf(given), 1);
          if (turn !== undefined) held.push(turn);
        });
      };
      for (const one of steps) {
        if (one === "come") come();
        if (one === "ring") ring();
        if (one === "ask" && held[0] !== undefined && !asking.has(held[0])) {
          held[0].beginRequest();
          asking.add(held[0]);
        }
        if (one === "serve") {
          for (const turn of asking) turn.endRequest();
          asking = new Set();
        }
        if (one === "end") held.shift()?.release();
        if (one === "giveUp") waiting.at(-1)?.abort();
        await settled();
        for (const turn of held.filter(({ lost }) => lost.aborted)) {
          expect([held, asking.has(turn)]).toEqual([[turn], false]);
          held.splice(0);
          turn.release();
        }
        await settled();
        expect(held.length).toBeLessThanOrEqual(1);
        if (waiting.length > 0) expect(held.length).toBe(1);
      }
    }),
    { numRuns: 100 },
  );
});
