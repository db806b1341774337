import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import { decodeSource } from "../../../../lang/grammar/index.ts";

const LIMIT = 1024 * 1024;

/** Returns the findings of a file with one byte more than the limit. */
export function findings(): Diagnostic[] {
  const bounded = decodeSource("bad.cap", new Uint8Array(LIMIT + 1));
  return bounded.ok ? [] : [bounded.diagnostic];
}
