import { createOutcome, type Outcome } from "../diagnostics/index.ts";
import { parseScanned, scan } from "../grammar/index.ts";
import type { SourceText } from "../text/index.ts";
import { buildOutline } from "./outline.ts";
import { printLines } from "./print.ts";
import { collectStarts } from "./starts.ts";

/**
 * Returns the page in the canonical form. Only blanks and line ends change; tokens and comments keep their order. If the page
 * has a syntax error, fails with the findings, because text that is not understood must not move.
 */
export async function formatFile(source: SourceText): Promise<Outcome<string>> {
  const scanned = scan(source);
  const { tree, diagnostics } = await parseScanned(scanned);
  const refused = createOutcome("", diagnostics);
  if (!refused.ok) return refused;
  const lines = printLines(buildOutline(scanned, collectStarts(tree.items, scanned)), "");
  return createOutcome(lines.map((line) => `${line}\n`).join(""), []);
}
