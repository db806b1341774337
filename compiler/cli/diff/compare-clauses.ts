// Compares the clauses of two decisions line by line, in the order of their pages, so that a reader sees what changed.

import type { WrittenDecision } from "../../queries/diff/index.ts";
import type { ClauseReport } from "./diff-report.ts";

/** Maximum number of pairs of lines that are compared. With more pairs, the clauses are not compared. */
const MOST_PAIRS = 250_000;
/** Maximum number of characters of both decisions together, if they are shown in one line. */
const LONGEST_IN_ONE = 80;

/**
 * Returns the lines of both decisions in one list. The list is empty if one side has no decision, if the two decisions
 * fit into one line, or if they have too many lines.
 */
export function compareClauses(
  before: WrittenDecision | undefined,
  after: WrittenDecision | undefined,
): readonly ClauseReport[] {
  if (before === undefined || after === undefined) return [];
  if (before.text.length + after.text.length <= LONGEST_IN_ONE) return [];
  const [old, now] = [before.lines, after.lines];
  if (old.length * now.length > MOST_PAIRS) return [];
  const longest = measureCommon(old, now);
  const compared: ClauseReport[] = [];
  let [left, right] = [0, 0];
  while (left < old.length || right < now.length) {
    const [was, is] = [old[left], now[right]];
    if (was !== undefined && was === is) {
      compared.push({ mark: "same", text: was });
      left++;
      right++;
    } else if (was !== undefined && (longest[left + 1]?.[right] ?? 0) >= (longest[left]?.[right + 1] ?? 0)) {
      compared.push({ mark: "removed", text: was });
      left++;
    } else if (is !== undefined) {
      compared.push({ mark: "added", text: is });
      right++;
    }
  }
  return compared;
}

/**
 * For each pair of positions in `old` and `now`, returns the length of the longest common subsequence of the items from
 * there on.
 */
function measureCommon(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const longest = Array.from({ length: old.length + 1 }, () => Array.from({ length: now.length + 1 }, () => 0));
  for (let left = old.length - 1; left >= 0; left--) {
    const [row = [], below = []] = [longest[left], longest[left + 1]];
    for (let right = now.length - 1; right >= 0; right--) {
      row[right] =
        old[left] === now[right] ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return longest;
}
