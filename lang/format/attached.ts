import { scan } from "../grammar/index.ts";
import { countWhile } from "../text/index.ts";
import type { FileTree } from "../tree/index.ts";
import { type Block, buildOutline, type Comment, type Element, type Entry, type Piece } from "./outline.ts";
import { collectStarts } from "./starts.ts";

// Finds the places to which comments refer. The place of a comment depends only on the order of tokens and comments,
// and on the tokens that are on the line of the comment. Formatting keeps this order, and keeps these tokens on the
// line of the comment. Line ends in other places do not affect the result.

/** One declaration, attribute or line, from its first token to its last. */
export interface Place {
  /** Offset of the first token of the place. */
  readonly start: number;
  readonly end: number;
  /**
   * Whether the block of this place contains only lines, such as the block of `permit`. A comment at such a place also applies to
   * these lines. A comment at any other declaration does not apply to the parts of its block.
   */
  readonly holdsLines: boolean;
  readonly around: Place | undefined;
}

/** A comment with the place to which it refers. */
export interface AttachedComment {
  readonly comment: Comment;
  /** Place before, in or after which the comment is; `undefined` if the comment is after the last place of a block or of the page. */
  readonly place: Place | undefined;
}

/** All comments of a page. */
export interface Attachments {
  /** Comments in the page's order, including doc comments. */
  readonly comments: readonly AttachedComment[];
  /** Returns the places at an offset, innermost first. */
  readonly placesAt: (offset: number) => readonly Place[];
}

/**
 * Returns the comments of a page with the places to which they refer. No comment refers to a part that could not be
 * parsed.
 */
export function findAttachments({ source, items }: FileTree): Attachments {
  const scanned = scan(source);
  const walk = new Walk();
  walk.walkEntries(buildOutline(scanned, collectStarts(items, scanned)), undefined);
  const { places, comments } = walk;
  return { comments: comments.sort((left, right) => left.comment.start - right.comment.start), placesAt: findPlaces };

  function findPlaces(offset: number): Place[] {
    const line: Place[] = [];
    for (let at = findLastFrom(places, offset); at !== undefined; at = at.around) if (offset < at.end) line.push(at);
    return line;
  }
}

/** Returns the last place that begins at an offset or before it, or `undefined` if there is none. */
function findLastFrom(places: readonly Place[], offset: number): Place | undefined {
  return places[countWhile(places.length, (index) => (places[index]?.start ?? 0) <= offset) - 1];
}

/** Attributes whose blocks contain only lines. */
const HOLD_LINES: ReadonlySet<string> = new Set(["permit", "models", "widen", "when", "quota", "timeout"]);

class Walk {
  /** Places in the order of their starts. */
  readonly places: Place[] = [];
  readonly comments: AttachedComment[] = [];

  walkEntries(entries: readonly Entry[], around: Place | undefined): void {
    let waiting: Comment[] = [];
    for (const entry of entries) {
      if (entry.kind === "comment") waiting.push(entry.comment);
      else {
        const place = this.walkElement(entry.element, around);
        this.attach(waiting, place);
        waiting = [];
      }
    }
    this.attach(waiting, undefined);
  }

  private walkElement(element: Element, around: Place | undefined): Place {
    const { head, block, tail, trailing } = element;
    const place = { ...measureElement(element), holdsLines: HOLD_LINES.has(head[0]?.kind ?? ""), around };
    this.places.push(place);
    this.attach([...head, ...tail].filter(isRemark), place);
    if (trailing !== undefined) this.attach([trailing], place);
    if (block !== undefined) this.walkBlock(block, place);
    return place;
  }

  private walkBlock({ opening, entries }: Block, place: Place): void {
    if (opening !== undefined) this.attach([opening], place);
    this.walkEntries(entries, place);
  }

  private attach(comments: readonly Comment[], place: Place | undefined): void {
    for (const comment of comments) this.comments.push({ comment, place });
  }
}

function isRemark(piece: Piece): piece is Extract<Piece, { readonly kind: "remark" }> {
  return piece.kind === "remark";
}

function measureElement({ head, block, tail }: Element): { readonly start: number; readonly end: number } {
  const tokens = [...head, ...tail].filter((piece) => piece.kind !== "remark");
  const start = tokens[0]?.start ?? 0;
  return { start, end: Math.max(start, block?.end ?? 0, tokens.at(-1)?.end ?? 0) };
}
