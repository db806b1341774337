import { type Diagnostic, isError } from "./diagnostic.ts";

/** What a phase gives: its value beside its findings, or findings alone, of which one at least is an error. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** The value stands only if no finding is an error. */
export function createOutcome<T>(value: T, diagnostics: readonly Diagnostic[]): Outcome<T> {
  return diagnostics.some(isError) ? { ok: false, diagnostics } : { ok: true, value, diagnostics };
}

/** For states that only a defect of ours can reach. Asks for a report, never blames the source. */
export function bug(what: string): never {
  throw new Error(`capc defect: ${what}. Please report it with the source that led here.`);
}
