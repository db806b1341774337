import { expect, test } from "vitest";
import { inStock } from "./world.ts";

test("random bytes in stock are given once each, and asked for by the stock; more than one holds are asked for by themselves", () => {
  const asked: number[] = [];
  let next = 0;
  const random = inStock((count) => {
    asked.push(count);
    return Uint8Array.from({ length: count }, () => next++);
  }, 40);
  expect([random(16), random(16), random(16)].map(([first]) => first)).toEqual([0, 16, 40]);
  expect(random(100)).toHaveLength(100);
  expect(asked).toEqual([40, 40, 100]);
  const kept = random(4);
  random(4).fill(7);
  expect([...kept]).toEqual([56, 57, 58, 59]);
});
