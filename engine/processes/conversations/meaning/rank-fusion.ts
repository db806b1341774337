/** Constant of the paper that is named below; it reduces the advantage of the first rank over the second. */
const DAMPING = 60;

/**
 * Merges several rankings, each best first, by reciprocal rank fusion. A hit with a high rank in one ranking gets a
 * high rank, and a hit that is in two rankings gets a higher one. Scores of different rankings cannot be compared, so
 * they do not count. Between two equal hits the newer comes first. Cormack, Clarke, Büttcher, SIGIR 2009.
 */
export function fuseRankings(rankings: readonly (readonly bigint[])[]): readonly bigint[] {
  const scores = new Map<bigint, number>();
  for (const ranking of rankings) {
    for (const [place, one] of ranking.entries()) scores.set(one, (scores.get(one) ?? 0) + 1 / (DAMPING + place + 1));
  }
  return [...scores].sort(([a, one], [b, other]) => other - one || (a < b ? 1 : -1)).map(([number]) => number);
}
