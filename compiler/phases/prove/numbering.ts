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
  const numbered = createNumbering<number>();
  return (one, other) => numbered(one * 2 ** 24 + other);
}
