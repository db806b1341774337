import type { Fix } from "../../lang/diagnostics/index.ts";
import { compareSpans } from "../../lang/text/index.ts";

/** A text to which fixes were applied. */
interface Fixed {
  readonly text: string;
  /** Number of fixes that were applied to the text. */
  readonly count: number;
}

/**
 * Returns the fixes of one file that may be applied together, in the order of the file. If fixes touch each other, only
 * the first is returned, because it may make the others wrong; the next run decides about the others.
 */
export function chooseFixes(fixes: readonly Fix[]): readonly Fix[] {
  const chosen: Fix[] = [];
  for (const fix of [...fixes].sort((left, right) => compareSpans(left.span, right.span))) {
    const before = chosen.at(-1);
    if (before === undefined || isBehind(fix, before)) chosen.push(fix);
  }
  return chosen;
}

/** Applies fixes to the text of their file. All fixes must be of this file. */
export function applyFixes(text: string, fixes: readonly Fix[]): Fixed {
  const chosen = chooseFixes(fixes);
  // Fixes are applied from the end, so that earlier positions do not change.
  const fixed = chosen
    .toReversed()
    .reduce((all, { span, replacement }) => all.slice(0, span.start) + replacement + all.slice(span.end), text);
  return { text: fixed, count: chosen.length };
}

/**
 * Returns whether a fix comes after another fix and does not touch it. Two insertions at the same position touch each
 * other.
 */
function isBehind({ span }: Fix, { span: before }: Fix): boolean {
  return span.start > before.end || (span.start === before.end && span.end > span.start && before.end > before.start);
}
