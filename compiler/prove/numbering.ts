/** Numbers for what is met, from 0, in the order of first meeting. */
export function numbering<T>(): (met: T) => number {
  const numbers = new Map<T, number>();
  return (met) => {
    const known = numbers.get(met);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(met, number);
    return number;
  };
}
