/**
 * Returns how many of the first `count` indexes satisfy `holds`. `holds` must be true up to some index, and false for
 * every index after it. The function uses binary search.
 */
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
