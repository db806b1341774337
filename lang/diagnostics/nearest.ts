/**
 * Maximum length of a name in UTF-16 code units. No correction is searched for a longer name, because the distance table grows with
 * the square of the length.
 */
const LONGEST = 128;

/** Returns the candidate that the user most likely meant, or `undefined` if none is near enough. */
export function findNearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const allowed = Math.max(1, Math.floor(name.length / 3));
  const meant = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    // If the lengths differ by more than the limit, the words cannot be near, and no table is filled.
    if (Math.abs(candidate.length - name.length) > allowed || candidate === name) continue;
    const distance = computeEditDistance(meant, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance || (distance === bestDistance && best !== undefined && candidate < best)) {
      if (distance > allowed) continue;
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * Returns the optimal string alignment distance. To turn `left` into `right`, each insertion, deletion or replacement
 * of a character, and each swap of two adjacent characters, counts as one. Returns a number above `giveUp` if the
 * distance is larger than `giveUp`. The function compares character codes, because that is faster than comparing
 * strings. For a page of one mebibyte, the function can run a million times.
 */
function computeEditDistance(left: string, right: string, giveUp: number): number {
  let [twoBefore, before, current] = [allocateRow(right), allocateRow(right), allocateRow(right)];
  for (let column = 0; column <= right.length; column++) before[column] = column;
  for (let row = 1; row <= left.length; row++) {
    if (fillRow(current, before, twoBefore, { left, right, row }) > giveUp) return giveUp + 1;
    [twoBefore, before, current] = [before, current, twoBefore];
  }
  return before[right.length] ?? 0;
}

function allocateRow(name: string): Uint16Array {
  return new Uint16Array(name.length + 1);
}

interface Cells {
  readonly left: string;
  readonly right: string;
  /**
   * Number of the row in the table, from 1. The row compares a prefix of `left`, with this number of characters, with
   * `right`.
   */
  readonly row: number;
}

/** Fills a row of the table, and returns its minimum, which is a lower bound for all later rows. */
function fillRow(current: Uint16Array, before: Uint16Array, twoBefore: Uint16Array, cells: Cells): number {
  const { left, right, row } = cells;
  const letter = left.charCodeAt(row - 1);
  const letterBefore = row > 1 ? left.charCodeAt(row - 2) : -1;
  let least = row;
  let cost = row;
  current[0] = row;
  for (let column = 1; column <= right.length; column++) {
    const other = right.charCodeAt(column - 1);
    cost = Math.min((before[column] ?? 0) + 1, cost + 1, (before[column - 1] ?? 0) + (letter === other ? 0 : 1));
    if (column > 1 && other === letterBefore && letter === right.charCodeAt(column - 2)) {
      cost = Math.min(cost, (twoBefore[column - 2] ?? 0) + 1);
    }
    current[column] = cost;
    if (cost < least) least = cost;
  }
  return least;
}
