// Finds a set of holders with the least total weight that covers all needs. Here a need is a kind of prompt. A holder is a quota, whose
// weight is its amount, or the gate before a phase, whose weight is 1. The total is then an upper bound on the number of prompts. The bound
// is exact if the holders are nested.

/** Holders that together cover all needs, and their total weight. */
interface Cover {
  readonly total: bigint;
  /** Indexes of holders, ascending. */
  readonly holders: readonly number[];
}

/** Maximum number of search steps. After it, the best cover so far is returned: still a valid bound, but perhaps not the least. */
const MOST_TRIES = 20_000;

/** `needs` lists for each need the indexes of the holders that cover it, at least one. */
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

/** Removes each need that is covered whenever another need is covered. Sorts the rest by the number of holders, the smallest first. */
function removeImplied(needs: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const distinct = [...new Map(needs.map((holders) => [holders.join(), holders])).values()];
  const sorted = distinct.sort((one, other) => one.length - other.length);
  const kept: (readonly number[])[] = [];
  for (const holders of sorted) {
    if (!kept.some((before) => before.every((holder) => holders.includes(holder)))) kept.push(holders);
  }
  return kept;
}

/** Returns an initial cover that has the lightest holder for each need. */
function buildInitialCover(needed: readonly (readonly number[])[], weights: readonly bigint[]): Cover {
  const getWeight = (holder: number) => weights[holder] ?? 0n;
  const lightest = needed.map((holders) =>
    holders.reduce((least, holder) => (getWeight(holder) < getWeight(least) ? holder : least)),
  );
  const holders = [...new Set(lightest)].sort((one, other) => one - other);
  return { total: holders.reduce((sum, holder) => sum + getWeight(holder), 0n), holders };
}
