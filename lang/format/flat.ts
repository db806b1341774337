import { MODES } from "../grammar/index.ts";
import type { Cells } from "./columns.ts";
import type { Block, Element, Piece, Token } from "./outline.ts";
import { joined, parted } from "./spacing.ts";
import { WIDTH } from "./width.ts";

// Elements on one line.

/** The cells of an element that may stand on one line: it has no comment inside, and its block stood on one line. */
export function cellsOf({ head, block, tail }: Element): Cells | undefined {
  // Each token is a character at least: what has more of them than a line has columns is not even joined.
  if (head.length > WIDTH || !areTokens(head) || !areTokens(tail)) return undefined;
  if (block === undefined) return { shape: shapeOf(head), cells: cut(head) };
  const inside = flatBlock(block);
  if (inside === undefined) return undefined;
  const behind = tail.length === 0 ? "" : ` ${joined(tail)}`;
  return { shape: blockShape(head), cells: [joined(head), `${inside}${behind}`] };
}

function areTokens(pieces: readonly Piece[]): pieces is readonly Token[] {
  return pieces.every(({ kind }) => kind !== "remark");
}

/** `{ ssh "a.pub"  passkey "b" }` */
function flatBlock({ opening, entries, onOneLine }: Block): string | undefined {
  if (!onOneLine || opening !== undefined || entries.length > WIDTH) return undefined;
  const inside: string[] = [];
  for (const entry of entries) {
    const cells = entry.kind === "element" && entry.element.trailing === undefined ? cellsOf(entry.element) : undefined;
    if (cells === undefined) return undefined;
    inside.push(cells.cells.join(" "));
  }
  return `{ ${inside.join("  ")} }`;
}

const MODE_WORDS: ReadonlySet<string> = new Set(MODES);
const LATTICES = new Set(["confidentiality", "integrity", "compartments"]);

/** `quota { … }` stands in columns with its like, `session a { … }` with sessions alone. */
function blockShape(head: readonly Token[]): string {
  return head.length === 1 ? "block of one word" : `block of ${head[0]?.kind ?? ""}`;
}

function shapeOf([first]: readonly Token[]): "permission" | "method" | "block of one word" | "other" {
  if (first === undefined) return "other";
  if (MODE_WORDS.has(first.kind)) return "permission";
  if (first.kind === "method") return "method";
  return LATTICES.has(first.kind) ? "block of one word" : "other";
}

function cut(tokens: readonly Token[]): readonly string[] {
  const cells = parted(
    tokens,
    cutsOf(tokens).filter((place) => place > 0),
  );
  // Facts stand two blanks apart, from the category too.
  return cells.map((cell, index) =>
    shapeOf(tokens) === "method" && index === 1 && cells.length > 2 ? `${cell} ` : cell,
  );
}

/** Before which tokens a new cell begins. */
function cutsOf(tokens: readonly Token[]): number[] {
  const find = (kind: string): number => tokens.findIndex((token) => token.kind === kind);
  switch (shapeOf(tokens)) {
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
