import type { Kind, ScanResult } from "../grammar/index.ts";
import type { TokenStarts } from "./starts.ts";

// Builds the formatter's view of a page: blocks of elements, and comments between and inside them. The outline contains
// everything in the order of the page, without any change.

export interface Token {
  readonly kind: Kind;
  readonly text: string;
  /** Offset of the token's first character. */
  readonly start: number;
  readonly end: number;
  /** Whether the token begins a fact of a method. */
  readonly isFact?: boolean;
}

export interface Comment {
  readonly text: string;
  /** Offset of the comment's first character. */
  readonly start: number;
}

/** A comment inside of an element; `ownLine` is true if nothing precedes it on its line. */
interface Remark extends Comment {
  readonly kind: "remark";
  readonly ownLine: boolean;
}

export type Piece = Token | Remark;

/** One declaration, attribute or line. If the element has a block, the block is between `head` and `tail`. */
export interface Element {
  readonly head: readonly Piece[];
  readonly block: Block | undefined;
  readonly tail: readonly Piece[];
  /** The comment after the element, on the last line of the element. */
  readonly trailing: Comment | undefined;
}

export type Entry =
  | { readonly kind: "element"; readonly element: Element; readonly blankBefore: boolean }
  | { readonly kind: "comment"; readonly comment: Comment; readonly blankBefore: boolean };

export interface Block {
  /** The comment after the opening brace. */
  readonly opening: Comment | undefined;
  readonly entries: readonly Entry[];
  /** Whether both braces of the block are on one line of the page that is formatted. */
  readonly onOneLine: boolean;
  /** `start`: offset of the opening brace. `end`: offset after the closing brace. */
  readonly start: number;
  readonly end: number;
}

/** A token or a comment, with the number of line ends before it. */
interface Event {
  readonly kind: Kind | "comment";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly lineEnds: number;
}

/** Returns the entries of a whole page. */
export function buildOutline(scanned: ScanResult, starts: TokenStarts): readonly Entry[] {
  return new Outliner(mergeEvents(scanned), starts).readPage();
}

/** Merges tokens and comments, each of which is already in order. */
function mergeEvents({ source, tokens, docs, comments }: ScanResult): Event[] {
  const remarks = [...docs, ...comments].sort((left, right) => left.start - right.start);
  const events: Event[] = [];
  let token = 0;
  let remark = 0;
  let before = 0;
  while (token < tokens.count || remark < remarks.length) {
    const comment = remarks[remark];
    const isComment = comment !== undefined && (token === tokens.count || comment.start < tokens.start(token));
    const start = isComment ? comment.start : tokens.start(token);
    const end = isComment ? comment.end : tokens.end(token);
    const kind = isComment ? "comment" : tokens.getKind(token);
    if (isComment) remark++;
    else token++;
    const text = source.text.slice(start, end);
    events.push({
      kind,
      text: isComment ? text.trimEnd() : text,
      start,
      end,
      lineEnds: countLineEnds(source.text, before, start),
    });
    before = end;
  }
  return events;
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (text[at] === "\n") count++;
  }
  return count;
}

const AFTER = Number.POSITIVE_INFINITY;
const END: Event = { kind: "End", text: "", start: AFTER, end: AFTER, lineEnds: 0 };

class Outliner {
  private readonly events: readonly Event[];
  private readonly starts: TokenStarts;
  private index = 0;

  constructor(events: readonly Event[], starts: TokenStarts) {
    this.events = events;
    this.starts = starts;
  }

  /**
   * Reads to the end of the page. After a syntax error a closing brace may have no opening brace, so such a brace does not end the page.
   */
  readPage(): readonly Entry[] {
    const parts = [this.readEntries()];
    for (; this.peek().kind !== "End"; parts.push(this.readEntries())) this.index++;
    return parts.flat();
  }

  /** Reads up to the brace that closes the block, or to the end of the page. */
  private readEntries(): Entry[] {
    const entries: Entry[] = [];
    for (;;) {
      const { kind, text, start, lineEnds } = this.peek();
      if (kind === "}" || kind === "End") return entries;
      const blankBefore = lineEnds > 1 && entries.length > 0;
      if (kind === "comment") {
        this.index++;
        entries.push({ kind, comment: { text, start }, blankBefore });
      } else entries.push({ kind: "element", element: this.readElement(), blankBefore });
    }
  }

  private readElement(): Element {
    const head = this.readPieces(1);
    if (this.peek().kind !== "{") return { head, block: undefined, tail: [], trailing: this.takeTrailingComment() };
    const block = this.readBlock();
    return { head, block, tail: this.readPieces(0), trailing: this.takeTrailingComment() };
  }

  /** Reads up to a block, or to the end of the element. The first `least` tokens always belong to the element. */
  private readPieces(least: number): Piece[] {
    const pieces: Piece[] = [];
    for (let depth = 0; ; this.index++) {
      const { kind, text, lineEnds, start, end } = this.peek();
      if (kind === "comment") {
        if (this.isElementEnd(this.skipComments(this.index), depth)) return pieces;
        pieces.push({ kind: "remark", text, start, ownLine: lineEnds > 0 });
        continue;
      }
      if (pieces.length >= least && this.isElementEnd(this.index, depth)) return pieces;
      if (kind === "{" && this.isBlockStart()) return pieces;
      if (kind === "{") depth++;
      if (kind === "}") depth--;
      const token = { kind, text, start, end };
      pieces.push(this.starts.facts.has(start) ? { ...token, isFact: true } : token);
    }
  }

  private readBlock(): Block {
    const open = this.index++;
    const opening = this.takeTrailingComment();
    const entries = this.readEntries();
    const close = this.index++;
    const onOneLine = this.events.slice(open + 1, close + 1).every(({ lineEnds }) => lineEnds === 0);
    const { start } = this.events[open] ?? END;
    const { end } = this.events[close] ?? END;
    return { opening, entries, onOneLine, start, end };
  }

  /** Takes the comment that follows the last token on its line. Returns `undefined` if there is none. */
  private takeTrailingComment(): Comment | undefined {
    const { kind, text, start, lineEnds } = this.peek();
    if (kind !== "comment" || lineEnds > 0) return undefined;
    this.index++;
    return { text, start };
  }

  /**
   * Returns whether a brace opens a block, which contains elements or only comments. Sets of names and records of JSON are parts of a line.
   */
  private isBlockStart(): boolean {
    const inside = this.skipComments(this.index + 1);
    const { kind, start } = this.events[inside] ?? END;
    return this.starts.elements.has(start) || (kind === "}" && inside > this.index + 1);
  }

  private isElementEnd(index: number, depth: number): boolean {
    const { kind, start } = this.events[index] ?? END;
    return kind === "End" || (kind === "}" && depth === 0) || this.starts.elements.has(start);
  }

  private skipComments(from: number): number {
    let index = from;
    while (this.events[index]?.kind === "comment") index++;
    return index;
  }

  private peek(): Event {
    return this.events[this.index] ?? END;
  }
}
