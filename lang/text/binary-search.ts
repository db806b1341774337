/** How many of the first `count` things something holds of, where it holds of none behind one that it does not hold of. By halving. */
export function countWhile(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
