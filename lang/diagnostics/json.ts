import type { Span } from "../text/index.ts";
import type { Diagnostic, Severity } from "./diagnostic.ts";
import { selectShown } from "./order.ts";

interface JsonRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

interface JsonDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly at: JsonRange;
  readonly message: string;
  readonly because: string;
  readonly help?: string;
  readonly fix?: { readonly at: JsonRange; readonly replacement: string };
  readonly related: readonly { readonly at: JsonRange; readonly message: string }[];
}

interface JsonReport {
  readonly errors: number;
  readonly warnings: number;
  readonly more: number;
  readonly diagnostics: readonly JsonDiagnostic[];
}

/**
 * Returns the findings as plain values for `JSON.stringify`. Their order and their maximum number are the same as on a
 * terminal.
 */
export function reportOf(diagnostics: readonly Diagnostic[], limit?: number): JsonReport {
  const { shown, errors, warnings, more } = selectShown(diagnostics, limit);
  return { errors, warnings, more, diagnostics: shown.map(encodeDiagnostic) };
}

function encodeDiagnostic(diagnostic: Diagnostic): JsonDiagnostic {
  const { code, severity, message, because, help, fix } = diagnostic;
  return {
    code,
    severity,
    at: encodeRange(diagnostic.span),
    message,
    because,
    ...(help === undefined ? {} : { help }),
    ...(fix === undefined ? {} : { fix: { at: encodeRange(fix.span), replacement: fix.replacement } }),
    related: diagnostic.related.map((related) => ({ at: encodeRange(related.span), message: related.message })),
  };
}

/** Returns the range of a span, in the form that every position has in capc's JSON output. */
export function encodeRange(span: Span): JsonRange {
  const start = span.source.position(span.start);
  const end = span.source.position(span.end);
  return { file: span.source.path, ...start, endLine: end.line, endColumn: end.column };
}
