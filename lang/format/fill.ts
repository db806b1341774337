import type { Piece, Token } from "./outline.ts";
import { computeGaps } from "./spacing.ts";
import { CONTINUED, WIDTH } from "./width.ts";

// Formats elements that need several lines, because they are too long or contain a comment.

/** Words before which a long line may be broken; it may also be broken after each comma. */
const BREAKABLE = new Set([
  ...["where", "and", "else", "because", "until", "scope"],
  ...["returning", "giving", "answer", "expect", "from", "to", "by", "for", "into", "label", "extends", "without"],
]);

/**
 * Returns the lines of an element, which consists of `pieces`. The first line is indented by `indent`, and the others
 * are indented further.
 */
export function fillLines(pieces: readonly Piece[], indent: string): string[] {
  const lines: string[] = [];
  const further = indent + CONTINUED;
  let line = indent;
  let empty = true;
  const end = (): void => {
    if (!empty) lines.push(line);
    line = lines.length === 0 ? indent : further;
    empty = true;
  };
  for (const chunk of splitChunks(pieces)) {
    if (chunk.remark === undefined) {
      if (!empty && line.length + chunk.gap.length + chunk.text.length > WIDTH) end();
      line += empty ? chunk.text : chunk.gap + chunk.text;
      empty = false;
      continue;
    }
    if (chunk.remark === "own line") end();
    line += empty ? chunk.text : `  ${chunk.text}`;
    empty = false;
    end();
  }
  end();
  return lines;
}

/** Part of an element that always stays on one line. */
interface Chunk {
  readonly gap: string;
  readonly text: string;
  readonly remark?: "own line" | "behind";
}

function splitChunks(pieces: readonly Piece[]): Chunk[] {
  const tokens = pieces.filter((piece): piece is Token => piece.kind !== "remark");
  const gaps = computeGaps(tokens);
  const chunks: Chunk[] = [];
  let index = 0;
  let joins = false;
  for (const piece of pieces) {
    if (piece.kind === "remark") {
      chunks.push({ gap: "", text: piece.text, remark: piece.ownLine ? "own line" : "behind" });
      joins = false;
      continue;
    }
    const gap = gaps[index] ?? "";
    const last = chunks.at(-1);
    if (joins && last !== undefined && !(gap !== "" && mayBreak(tokens, index))) {
      chunks[chunks.length - 1] = { ...last, text: last.text + gap + piece.text };
    } else chunks.push({ gap, text: piece.text });
    joins = true;
    index++;
  }
  return chunks;
}

function mayBreak(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  return tokens[index - 1]?.kind === "," || token?.isFact === true || BREAKABLE.has(token?.kind ?? "");
}
