import fc from "fast-check";
import { expect, test } from "vitest";
import { type Scheduler, type Turn, Turns } from "./turns.ts";

/** A clock that a test winds. */
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

test("who holds the turn and is heard of keeps it, and who is not loses it to those who wait, once it is done", async () => {
  const { after, ring } = clock();
  const turns = new Turns(after);
  const first = await turns.acquire(NEVER);
  ring();
  // No other caller waits, so it may take its time.
  expect(first?.lost.aborted).toBe(false);
  let second: Turn | undefined;
  void turns.acquire(NEVER).then((turn) => {
    second = turn;
  });
  ring();
  expect(first?.lost.aborted).toBe(true);
  await settled();
  // The computation for the first holder is not over yet.
  expect(second).toBeUndefined();
  first?.release();
  await settled();
  expect(second?.lost.aborted).toBe(false);
});

test("who waits for the model is heard of, however long it takes: only who lets the model wait loses the turn", async () => {
  const { after, ring } = clock();
  const turns = new Turns(after);
  const first = await turns.acquire(NEVER);
  // Both before somebody waits and behind it; two at once, as a loop may ask.
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

test("a turn that is done is not lost any more", async () => {
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

test("a caller that no longer waits does not get the turn", async () => {
  const turns = new Turns(clock().after);
  const first = await turns.acquire(NEVER);
  const given = new AbortController();
  const second = turns.acquire(given.signal);
  given.abort();
  expect(await second).toBeUndefined();
  first?.release();
  expect(await turns.acquire(NEVER)).toBeDefined();
});

test("law: whoever comes, gives up, ends and is forgotten, one holds the turn at most, and who waits gets it", async () => {
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
