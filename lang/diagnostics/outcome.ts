import { type Diagnostic, isError } from "./diagnostic.ts";

/**
 * Result of a phase of the compiler. If `ok` is true, it has a value, and no finding is an error. Otherwise at least
 * one finding is an error.
 */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Returns an outcome with the value, or without it if a finding is an error. */
export function createOutcome<T>(value: T, diagnostics: readonly Diagnostic[]): Outcome<T> {
  return diagnostics.some(isError) ? { ok: false, diagnostics } : { ok: true, value, diagnostics };
}

/** Throws for a state that only a defect of capc can reach. The message asks for a report, and never blames the source. */
export function bug(what: string): never {
  throw new Error(`capc defect: ${what}. Please report it with the source that led here.`);
}
