import type { SourceText } from "../text/index.ts";
import type { Parsed } from "./parsed.ts";
import type { ExpectedToken } from "./rules/expected.ts";
import { type ScanResult, scan } from "./scanner.ts";
import { readStraight } from "./straight/read.ts";

// Text to tree. Knows no names, no disk and no policy. Every source gives a tree, however broken: what cannot be read
// is a finding and a gap.

/**
 * Reads a bounded source into a tree. Never throws on any text. The grammar of Chevrotain, which can say what is wrong
 * and go on behind it, is loaded for pages with an error only: to start it costs more CPU than to read a page.
 */
export function parse(source: SourceText): Promise<Parsed> {
  return parseScanned(scan(source));
}

/** Parses a page that is already scanned, for callers that need its tokens and comments as well. */
export async function parseScanned(scanned: ScanResult): Promise<Parsed> {
  const tree = readStraight(scanned);
  if (tree !== undefined) return { tree, diagnostics: [] };
  const { readRecovering } = await import("./rules/read.ts");
  return readRecovering(scanned);
}

/** Returns the tokens that may follow those up to an offset, for editors. The page may have errors elsewhere. */
export async function findExpectedAt(scanned: ScanResult, offset: number): Promise<readonly ExpectedToken[]> {
  if (scanned.tooDeep !== undefined) return [];
  const { findExpectedBehind } = await import("./rules/expected.ts");
  return findExpectedBehind(scanned, offset);
}
