/** Constant that damps the advantage of the first rank over the second, as published with the method. */
const DAMPING = 60;

/**
 * One order of several, each best first, by reciprocal rank fusion: what stands far up in one is far up, what stands in two is
 * further up. How good a hit was in its own order does not matter, as such figures cannot be compared. The newer of two that are as
 * good comes first. Cormack, Clarke, Büttcher, SIGIR 2009.
 */
export function fuseRankings(rankings: readonly (readonly bigint[])[]): readonly bigint[] {
  const scores = new Map<bigint, number>();
  for (const ranking of rankings) {
    for (const [place, one] of ranking.entries()) scores.set(one, (scores.get(one) ?? 0) + 1 / (DAMPING + place + 1));
  }
  return [...scores].sort(([a, one], [b, other]) => other - one || (a < b ? 1 : -1)).map(([number]) => number);
}
