import { MODES } from "../grammar/index.ts";
import type { Cells } from "./columns.ts";
import type { Block, Element, Piece, Token } from "./outline.ts";
import { joinTokens, splitTokens } from "./spacing.ts";
import { WIDTH } from "./width.ts";

// Formats elements on one line.

/**
 * Returns the cells of an element that may be on one line, otherwise `undefined`. An element may be on one line if it
 * contains no comment and its block was on one line.
 */
export function splitCells({ head, block, tail }: Element): Cells | undefined {
  // An element with more tokens than `WIDTH` cannot fit on one line, because each token has at least one character. So its tokens
  // are not joined.
  if (head.length > WIDTH || !hasOnlyTokens(head) || !hasOnlyTokens(tail)) return undefined;
  if (block === undefined) return { shape: classifyShape(head), cells: cut(head) };
  const inside = flattenBlock(block);
  if (inside === undefined) return undefined;
  const behind = tail.length === 0 ? "" : ` ${joinTokens(tail)}`;
  return { shape: classifyBlock(head), cells: [joinTokens(head), `${inside}${behind}`] };
}

function hasOnlyTokens(pieces: readonly Piece[]): pieces is readonly Token[] {
  return pieces.every(({ kind }) => kind !== "remark");
}

/** Returns a block such as `{ ssh "a.pub"  passkey "b" }`, or `undefined` if the block cannot be on one line. */
function flattenBlock({ opening, entries, onOneLine }: Block): string | undefined {
  if (!onOneLine || opening !== undefined || entries.length > WIDTH) return undefined;
  const inside: string[] = [];
  for (const entry of entries) {
    const cells =
      entry.kind === "element" && entry.element.trailing === undefined ? splitCells(entry.element) : undefined;
    if (cells === undefined) return undefined;
    inside.push(cells.cells.join(" "));
  }
  return `{ ${inside.join("  ")} }`;
}

/** Words that begin a line of a `permit` block. */
const LINE_WORDS: ReadonlySet<string> = new Set([...MODES, "inherit"]);
const LATTICES = new Set(["confidentiality", "integrity", "compartments"]);

/**
 * Returns the kind of a block; only consecutive blocks of one kind are aligned. All blocks after a single word, such as
 * `quota { … }`, are of one kind. Otherwise the first word is the kind, as in `session a { … }`.
 */
function classifyBlock(head: readonly Token[]): string {
  return head.length === 1 ? "block of one word" : `block of ${head[0]?.kind ?? ""}`;
}

function classifyShape([first]: readonly Token[]): "permission" | "method" | "block of one word" | "other" {
  if (first === undefined) return "other";
  if (LINE_WORDS.has(first.kind)) return "permission";
  if (first.kind === "method") return "method";
  return LATTICES.has(first.kind) ? "block of one word" : "other";
}

function cut(tokens: readonly Token[]): readonly string[] {
  const cells = splitTokens(
    tokens,
    findCuts(tokens).filter((place) => place > 0),
  );
  // Two blanks separate the facts of a method from each other and from its category.
  return cells.map((cell, index) =>
    classifyShape(tokens) === "method" && index === 1 && cells.length > 2 ? `${cell} ` : cell,
  );
}

/**
 * A line is split into cells, which are aligned with the cells of similar lines. Returns the indexes of the tokens
 * before which it is split.
 */
function findCuts(tokens: readonly Token[]): number[] {
  const find = (kind: string): number => tokens.findIndex((token) => token.kind === kind);
  switch (classifyShape(tokens)) {
    case "permission":
      return [1, find("where")];
    case "method":
      return [find(":"), tokens.findIndex(({ isFact }) => isFact === true)];
    case "block of one word":
      return [1];
    case "other":
      return [];
  }
}
