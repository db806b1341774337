import { expect, test } from "vitest";
import { type Derivation, Frontier } from "./frontier.ts";

const begun = (): Derivation => ({ kind: "begin" });

function order(frontier: Frontier): number[] {
  const found: number[] = [];
  for (let state = frontier.takeNext(); state !== undefined; state = frontier.takeNext()) found.push(state);
  return found;
}

test("states are taken in the order of their step counts, and states with equal counts are taken in the order in which they were offered", () => {
  const frontier = new Frontier(0);
  const [c, a, b] = [7, 1, 2].map((steps, label) => frontier.offer(frontier.intern(0, label, 0), steps, begun));
  const d = frontier.offer(frontier.intern(1, 0, 0), 2, begun);
  expect(order(frontier)).toEqual([a, b, d, c]);
});

test("a path to a known state replaces the known path only if it is shorter, and each state is taken once", () => {
  const frontier = new Frontier(1);
  const state = frontier.offer(frontier.intern(0, 3, 1), 5, begun);
  expect(frontier.offer(frontier.intern(0, 3, 1), 2, () => ({ kind: "phase", from: 9 }))).toBe(state);
  expect(frontier.offer(frontier.intern(0, 3, 1), 4, begun)).toBe(state);
  expect([frontier.steps[state], frontier.derivation[state]]).toEqual([2, { kind: "phase", from: 9 }]);
  expect(frontier.offer(frontier.intern(0, 3, 0), 9, begun)).not.toBe(state);
  expect(order(frontier)).toHaveLength(2);
});

test("a state with fewer steps is taken before the waiting states, even if it is offered after them", () => {
  const frontier = new Frontier(0);
  const first = frontier.offer(frontier.intern(0, 0, 0), 1, begun);
  const last = frontier.offer(frontier.intern(0, 1, 0), 9, begun);
  expect(frontier.takeNext()).toBe(first);
  const between = frontier.offer(frontier.intern(-1, 0, 0), 4, begun);
  expect(order(frontier)).toEqual([between, last]);
  expect(frontier.takeNext()).toBeUndefined();
});
