import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeBufferedRandom, TOKEN_BYTES } from "./world.ts";

test("returns each buffered random byte only once, refills the buffer, and does not use the buffer for larger requests", () => {
  const asked: number[] = [];
  let next = 0;
  const random = makeBufferedRandom((count) => {
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

test("random bytes from the kernel are not zero, differ each time, and do not change later", () => {
  const random = makeBufferedRandom(randomBytes, 64);
  const given = Array.from({ length: 9 }, () => random(TOKEN_BYTES));
  const shown = new Set(given.map((bytes) => Buffer.from(bytes).toString("hex")));
  expect(shown.size).toBe(given.length);
  expect(shown).not.toContain("00".repeat(TOKEN_BYTES));
});
