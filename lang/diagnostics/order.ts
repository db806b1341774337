import { compareCodeUnits, compareSpans } from "../text/index.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** Returns the findings in the order of the page, without duplicates. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const sorted = [...diagnostics].sort(
    (left, right) =>
      compareSpans(left.span, right.span) ||
      compareCodeUnits(left.code, right.code) ||
      compareCodeUnits(left.message, right.message),
  );
  return sorted.filter((diagnostic, index) => {
    const before = sorted[index - 1];
    return before === undefined || !isSame(before, diagnostic);
  });
}

function isSame(left: Diagnostic, right: Diagnostic): boolean {
  return left.code === right.code && left.message === right.message && compareSpans(left.span, right.span) === 0;
}

/** Maximum number of findings to show at once; the rest is only counted. */
export const SHOWN_AT_ONCE = 50;

export interface ShownDiagnostics {
  readonly shown: readonly Diagnostic[];
  readonly errors: number;
  readonly warnings: number;
  /** Number of findings that are not among `shown`. */
  readonly more: number;
}

/** Selects the findings to show. If there are more findings than `limit`, errors are selected before advice. */
export function selectShown(diagnostics: readonly Diagnostic[], limit: number = SHOWN_AT_ONCE): ShownDiagnostics {
  const ordered = sortDiagnostics(diagnostics);
  const errors = ordered.filter((diagnostic) => diagnostic.severity === "error");
  const warnings = ordered.filter((diagnostic) => diagnostic.severity === "warning");
  const kept = new Set([...errors, ...warnings].slice(0, limit));
  return {
    shown: ordered.filter((diagnostic) => kept.has(diagnostic)),
    errors: errors.length,
    warnings: warnings.length,
    more: ordered.length - kept.size,
  };
}
