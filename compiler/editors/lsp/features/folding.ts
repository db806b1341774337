import { type FoldingRange, FoldingRangeKind } from "vscode-languageserver/node";
import type { ScanResult } from "../../../../lang/grammar/index.ts";

/** Returns the blocks that span several lines, and comments of several lines. */
export function findFoldings({ source, tokens, docs, comments }: ScanResult): FoldingRange[] {
  const getLine = (offset: number): number => source.position(offset).line - 1;
  const blocks: FoldingRange[] = [];
  const open: number[] = [];
  for (let index = 0; index < tokens.count; index += 1) {
    const kind = tokens.getKind(index);
    if (kind === "{") open.push(getLine(tokens.start(index)));
    const startLine = kind === "}" ? open.pop() : undefined;
    // When a block is folded, the editor still shows the line with its closing brace.
    const endLine = getLine(tokens.start(index)) - 1;
    if (startLine !== undefined && endLine > startLine) blocks.push({ startLine, endLine });
  }
  return [...blocks, ...findCommentRuns([...docs, ...comments].map(({ start }) => getLine(start)))];
}

/** Returns runs of consecutive comment lines. */
function findCommentRuns(lines: readonly number[]): FoldingRange[] {
  const runs: { startLine: number; endLine: number }[] = [];
  for (const line of [...lines].sort((left, right) => left - right)) {
    const last = runs.at(-1);
    if (last !== undefined && last.endLine + 1 === line) last.endLine = line;
    else runs.push({ startLine: line, endLine: line });
  }
  const long = runs.filter(({ startLine, endLine }) => endLine > startLine);
  return long.map((run) => ({ ...run, kind: FoldingRangeKind.Comment }));
}
