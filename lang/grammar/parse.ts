import type { SourceText } from "../text/index.ts";
import type { Parsed } from "./parsed.ts";
import type { ExpectedToken } from "./rules/expected.ts";
import { type ScanResult, scan } from "./scanner.ts";
import { readStraight } from "./straight/read.ts";

// Parses text to a tree. The parser does not resolve names, read files or interpret the policy. Every text gives a
// tree: each part that cannot be parsed gives a finding and is missing in the tree.

/**
 * Returns the tree of a source that passed the bounds check; never throws. If the page has an error, Chevrotain's grammar reports
 * the error and continues after it. This grammar is loaded only for pages with errors, because starting it takes more CPU time than
 * parsing a page.
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

/**
 * Returns the tokens that may follow the tokens before an offset, for completion in editors. Errors in other parts of the page do
 * not change the result.
 */
export async function findExpectedAt(scanned: ScanResult, offset: number): Promise<readonly ExpectedToken[]> {
  if (scanned.tooDeep !== undefined) return [];
  const { findExpectedBehind } = await import("./rules/expected.ts");
  return findExpectedBehind(scanned, offset);
}
