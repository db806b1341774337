import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_WIDTH } from "../limits.ts";
import { expectValue } from "../testing/saying.ts";
import { computeNearness, quantizeVector, readVector } from "./vector.ts";

const anyNumbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 40 });
const kept = (numbers: readonly number[]) => readVector(expectValue(quantizeVector(numbers)));

test.each([
  [
    "a vector with too many numbers",
    Array(MAX_WIDTH + 1).fill(1),
    `a vector of ${MAX_WIDTH + 1} numbers, of which ${MAX_WIDTH} may be`,
  ],
  ["a vector with NaN", [1, Number.NaN], "a vector with a number that is none"],
  ["a vector with an infinite number", [1, Number.NEGATIVE_INFINITY], "a vector with a number that is none"],
])("refuses %s", (_, numbers, reason) => {
  expect(quantizeVector(numbers)).toEqual({ ok: false, reason });
});

test("a vector of zeros is stored as an empty vector", () => {
  for (const none of [[], [0, -0, 0]]) expect(expectValue(quantizeVector(none))).toHaveLength(0);
});

test("property: keeps the direction of a vector, whatever its length", () => {
  fc.assert(
    fc.property(anyNumbers, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (numbers, scale) => {
      const largest = Math.max(...numbers.map(Math.abs));
      fc.pre(largest > 1e-300 && largest < 1e300);
      const vector = kept(numbers);
      expect(vector).toHaveLength(numbers.length);
      expect(Math.max(...(vector ?? []).map(Math.abs))).toBe(127);
      for (const [at, number] of numbers.entries())
        expect(Math.abs((vector?.[at] ?? 0) - (127 * number) / largest)).toBeLessThan(0.51);
      const scaled = kept(numbers.map((number) => number * scale));
      for (const [at, number] of (scaled ?? []).entries())
        expect(Math.abs(number - (vector?.[at] ?? 0))).toBeLessThanOrEqual(1);
    }),
  );
});

test("property: nearness is symmetric, 1 for the same direction, and never above 1", () => {
  const anyVector = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(anyVector, anyVector, (one, other) => {
      const [a, b] = [Int8Array.from(one), Int8Array.from(other)];
      expect(computeNearness(a, b)).toBe(computeNearness(b, a));
      expect(Math.abs(computeNearness(a, b))).toBeLessThanOrEqual(1 + 1e-12);
      if (one.some((number) => number !== 0)) expect(computeNearness(a, a)).toBeCloseTo(1, 12);
    }),
  );
  expect(computeNearness(Int8Array.of(1, 2), Int8Array.of(1))).toBe(-1);
  expect(computeNearness(Int8Array.of(0), Int8Array.of(1))).toBe(-1);
});

test("fuzz: reads any stored value as a vector within its bounds, or as no vector", () => {
  const anything = fc.oneof(fc.uint8Array({ maxLength: MAX_WIDTH + 9 }), fc.string(), fc.bigInt(), fc.constant(null));
  fc.assert(
    fc.property(anything, (written) => {
      const vector = readVector(written);
      const isOurs = written instanceof Uint8Array && written.length > 0 && written.length <= MAX_WIDTH;
      expect(vector?.length).toBe(isOurs ? written.length : undefined);
      if (vector !== undefined) expect(Number.isFinite(computeNearness(vector, vector))).toBe(true);
    }),
  );
});
