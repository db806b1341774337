// A stored vector: one integer from -127 to 127 for each of its numbers. Comparisons are then exact, so that two
// machines rank the same sayings alike. Vectors from an embedder and from the file are checked as hostile input.

import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { MAX_WIDTH } from "../limits.ts";

const LARGEST = 127;

/** One byte for each number; empty if all numbers of the vector are 0. */
export type QuantizedVector = Uint8Array;

/** Returns the vector as bytes. Fails if there are too many values, or if a value is not finite. */
export function quantizeVector(values: readonly number[]): Result<QuantizedVector> {
  if (values.length > MAX_WIDTH) return refuse(`a vector of ${values.length} numbers, of which ${MAX_WIDTH} may be`);
  if (!values.every(Number.isFinite)) return refuse("a vector with a number that is none");
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return accept(new Uint8Array(0));
  // Divide first: multiplying a number near the maximum would overflow.
  return accept(new Uint8Array(Int8Array.from(values, (value) => Math.round((value / largest) * LARGEST)).buffer));
}

/** Returns the vector in a row of the file, or `undefined` if the value is not a vector of this program. */
export function readVector(value: unknown): Int8Array | undefined {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > MAX_WIDTH) return undefined;
  return new Int8Array(value.buffer, value.byteOffset, value.length);
}

/** Returns the similarity, from -1 to 1; vectors of different widths have -1. */
export function computeNearness(one: Int8Array, other: Int8Array): number {
  if (one.length !== other.length) return -1;
  let dot = 0;
  let first = 0;
  let second = 0;
  // This runs without a JIT compiler, thousands of times per query, so it does not create an object for each number.
  for (let at = 0; at < one.length; at++) {
    const a = one[at] ?? 0;
    const b = other[at] ?? 0;
    dot += a * b;
    first += a * a;
    second += b * b;
  }
  return first === 0 || second === 0 ? -1 : dot / Math.sqrt(first * second);
}
