import type { Span } from "../text/index.ts";

/** An error fails the build; a warning is advice, and the result remains valid. */
export type Severity = "error" | "warning";

/**
 * Text that may replace a span. A fix is a proposal to a person. Only compiler/queries/fixes decides which fixes a tool may apply without a
 * question.
 */
export interface Fix {
  readonly span: Span;
  readonly replacement: string;
  /**
   * Absent if the fix keeps the meaning of the page. If the fix is a guess, `guess` is the list of all possible words, or `name`
   * if the replacement is the name of a declaration. A fix with `name` can be wrong: perhaps the declaration has the spelling
   * mistake, or the page lacks the declaration of the replaced name.
   */
  readonly guess?: readonly string[] | "name";
}

/** A second place that the message mentions. */
export interface Related {
  readonly span: Span;
  readonly message: string;
}

/** A finding about the user's source text. A diagnostic is a value and never thrown. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly span: Span;
  readonly message: string;
  readonly because: string;
  readonly help?: string;
  readonly fix?: Fix;
  readonly related: readonly Related[];
}

/** Texts of a code: message, reason and help. */
interface DiagnosticWords<Facts> {
  /** Code in kebab-case. The code never changes its meaning. */
  readonly code: string;
  readonly severity: Severity;
  readonly say: (facts: Facts) => string;
  /** Reason why the rule exists, for a reader who does not know it. */
  readonly because: string;
  /** Correction; several lines if the correction takes several steps. */
  readonly help?: (facts: Facts) => string | undefined;
}

export interface DiagnosticKind<Facts> {
  readonly code: string;
  readonly severity: Severity;
  readonly because: string;
  readonly at: (span: Span, facts: Facts, more?: { fix?: Fix | undefined; related?: readonly Related[] }) => Diagnostic;
}

export function defineDiagnostic<Facts>(words: DiagnosticWords<Facts>): DiagnosticKind<Facts> {
  const { code, severity, because } = words;
  return {
    code,
    severity,
    because,
    at: (span, facts, more = {}) => {
      const help = words.help?.(facts);
      return {
        code,
        severity,
        span,
        message: words.say(facts),
        because,
        ...(help === undefined ? {} : { help }),
        ...(more.fix === undefined ? {} : { fix: more.fix }),
        related: more.related ?? [],
      };
    },
  };
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error";
}
