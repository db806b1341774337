import { createOutcome, type Outcome } from "../diagnostics/index.ts";
import { parseScanned, scan } from "../grammar/index.ts";
import type { SourceText } from "../text/index.ts";
import { buildOutline } from "./outline.ts";
import { printLines } from "./print.ts";
import { collectStarts } from "./starts.ts";

/**
 * The same page in the one form that every page has. Nothing but blanks, line ends and the order of neither tokens nor
 * comments changes; a page with a syntax error is refused with its findings, for what is not understood is not moved.
 */
export async function formatFile(source: SourceText): Promise<Outcome<string>> {
  const scanned = scan(source);
  const { tree, diagnostics } = await parseScanned(scanned);
  const refused = createOutcome("", diagnostics);
  if (!refused.ok) return refused;
  const lines = printLines(buildOutline(scanned, collectStarts(tree.items, scanned)), "");
  return createOutcome(lines.map((line) => `${line}\n`).join(""), []);
}
