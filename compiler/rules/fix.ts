import type { Fix } from "../../lang/diagnostics/index.ts";
import { compareSpans } from "../../lang/text/index.ts";

/** A text after its fixes were applied. */
interface Fixed {
  readonly text: string;
  /** Number of applied fixes. */
  readonly count: number;
}

/**
 * Returns the fixes of one source that can be applied together, in the order of the source. If fixes touch each other, only the first fix
 * is returned, because it may make the other fixes wrong. The next run decides about them.
 */
export function chooseFixes(fixes: readonly Fix[]): readonly Fix[] {
  const chosen: Fix[] = [];
  for (const fix of [...fixes].sort((left, right) => compareSpans(left.span, right.span))) {
    const before = chosen.at(-1);
    if (before === undefined || isBehind(fix, before)) chosen.push(fix);
  }
  return chosen;
}

/** Applies fixes to the text of the source that they belong to. */
export function applyFixes(text: string, fixes: readonly Fix[]): Fixed {
  const chosen = chooseFixes(fixes);
  // Apply fixes from the end, so that earlier positions stay valid.
  const fixed = chosen
    .toReversed()
    .reduce((all, { span, replacement }) => all.slice(0, span.start) + replacement + all.slice(span.end), text);
  return { text: fixed, count: chosen.length };
}

/** Returns whether a fix comes after another without touching it. Two insertions at the same position touch each other. */
function isBehind({ span }: Fix, { span: before }: Fix): boolean {
  return span.start > before.end || (span.start === before.end && span.end > span.start && before.end > before.start);
}
