/** The candidate that a person most likely meant; undefined where none is near enough to say so. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const allowed = Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    // A length that differs by more than what is allowed cannot be near: no table is filled for it.
    if (Math.abs(candidate.length - name.length) > allowed || candidate === name) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance || (distance === bestDistance && best !== undefined && candidate < best)) {
      if (distance > allowed) continue;
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Optimal string alignment: insertion, deletion, exchange and swap of neighbours each cost one. */
function editDistance(left: string, right: string, giveUp: number): number {
  let twoBefore: number[] = [];
  let before = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (same ? 0 : 1),
        swapped && row > 1 && column > 1 ? (twoBefore[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...current) > giveUp) return giveUp + 1;
    twoBefore = before;
    before = current;
  }
  return before[right.length] ?? 0;
}
