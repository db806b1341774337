/** Returns a function that numbers values from 0, in the order of first use. */
export function createNumbering<T>(): (met: T) => number {
  const numbers = new Map<T, number>();
  return (met) => {
    const known = numbers.get(met);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(met, number);
    return number;
  };
}

/** Returns a numbering, as `createNumbering` does, for pairs of numbers that are each below 2^24. */
export function createPairNumbering(): (one: number, other: number) => number {
  const numbers = new Map<number, number>();
  return (one, other) => {
    // Each pair has a key of its own. For nearly all pairs it is below 2^30: the map stores such a number without
    // additional memory. The keys of all other pairs are larger, so they cannot equal these keys.
    const key = one < 2 ** 14 && other < 2 ** 16 ? one * 2 ** 16 + other : 2 ** 30 + one * 2 ** 24 + other;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(key, number);
    return number;
  };
}
