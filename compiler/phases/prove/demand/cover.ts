// Chooses counters of quotas so that at least one of them counts each prompt, and the sum of their weights is small.
// The code calls the counters holders, and the prompts needs. A counter allows as many prompts as its weight, so the
// sum is an upper bound of the number of prompts. If the counters are nested, the bound is exact.

/** Counters that together cover all prompts: at least one of them counts each prompt. */
interface Cover {
  readonly total: bigint;
  /** Indexes of the counters, in ascending order. */
  readonly holders: readonly number[];
}

/**
 * Maximum number of partial covers that the search tries. After this number of tries, the best cover so far is used;
 * its weight is still an upper bound, but perhaps not the least one.
 */
const MOST_TRIES = 20_000;

/**
 * Returns the cover with the least total weight that was found. For each prompt, `needs` has the indexes of the
 * counters that cover this prompt; there is at least one.
 */
export function findLeastCover(needs: readonly (readonly number[])[], weights: readonly bigint[]): Cover {
  const needed = removeImplied(needs);
  let best: Cover = buildInitialCover(needed, weights);
  let tries = 0;
  const searchCover = (chosen: readonly number[], total: bigint, left: readonly (readonly number[])[]): void => {
    if (total >= best.total) return;
    const [first, ...others] = left;
    if (first === undefined) {
      best = { total, holders: [...chosen].sort((one, other) => one - other) };
      return;
    }
    if (tries++ > MOST_TRIES) return;
    for (const holder of first) {
      const uncovered = others.filter((holders) => !holders.includes(holder));
      searchCover([...chosen, holder], total + (weights[holder] ?? 0n), uncovered);
    }
  };
  searchCover([], 0n, needed);
  return best;
}

/**
 * Removes each prompt whose counters include all counters of another prompt: every cover of the other prompt covers it
 * too. Sorts the remaining prompts by the number of their counters; the prompt with the fewest counters comes first.
 */
function removeImplied(needs: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const distinct = [...new Map(needs.map((holders) => [holders.join(), holders])).values()];
  const sorted = distinct.sort((one, other) => one.length - other.length);
  const kept: (readonly number[])[] = [];
  for (const holders of sorted) {
    if (!kept.some((before) => before.every((holder) => holders.includes(holder)))) kept.push(holders);
  }
  return kept;
}

/** Returns an initial cover: for each prompt, the counter with the least weight. */
function buildInitialCover(needed: readonly (readonly number[])[], weights: readonly bigint[]): Cover {
  const getWeight = (holder: number) => weights[holder] ?? 0n;
  const lightest = needed.map((holders) =>
    holders.reduce((least, holder) => (getWeight(holder) < getWeight(least) ? holder : least)),
  );
  const holders = [...new Set(lightest)].sort((one, other) => one - other);
  return { total: holders.reduce((sum, holder) => sum + getWeight(holder), 0n), holders };
}
