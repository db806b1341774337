// Applies edits to a text. All edits are searched for in the original text, so that none depends on another.

import { accept, type Result, refuse } from "../../../lib/result/result.ts";

interface Replacement {
  /** The text to replace, which occurs exactly once; never empty. */
  readonly before: string;
  readonly after: string;
}

interface Spot {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/** Returns the text with all edits made, or why one of them does not fit. */
export function applyReplacements(text: string, edits: readonly Replacement[]): Result<string> {
  const spots: Spot[] = [];
  for (const { before, after } of edits) {
    const [start, second] = findFirstPlaces(text, before);
    if (start === undefined) return refuse("what should stand there does not");
    if (second !== undefined) return refuse("what should stand there stands there more than once");
    spots.push({ start, end: start + before.length, after });
  }
  spots.sort((one, other) => one.start - other.start);
  let made = "";
  let done = 0;
  for (const { start, end, after } of spots) {
    if (start < done) return refuse("two edits of the file overlap");
    made += text.slice(done, start) + after;
    done = end;
  }
  return accept(made + text.slice(done));
}

/**
 * Returns the first two positions of a part in a text, including overlapping ones. The search uses the algorithm of Knuth, Morris and
 * Pratt: no input of a model may make it slower than reading text and part.
 */
function findFirstPlaces(text: string, part: string): readonly number[] {
  const borders = computeBorders(part);
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && places.length < 2; at += 1) {
    matched = extendMatch(part, borders, matched, text.charCodeAt(at));
    if (matched < part.length) continue;
    places.push(at + 1 - matched);
    matched = borders[matched - 1] ?? 0;
  }
  return places;
}

/** Returns for each prefix of a part the length of its longest proper border (a suffix that is also a prefix). */
function computeBorders(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  for (let at = 1; at < part.length; at += 1) {
    borders[at] = extendMatch(part, borders, borders[at - 1] ?? 0, part.charCodeAt(at));
  }
  return borders;
}

/**
 * So far, the text ends with the first `before` units of the part. Returns with how many first units of the part it
 * ends after the next unit, `unit`.
 */
function extendMatch(part: string, borders: Uint32Array, before: number, unit: number): number {
  let matched = before;
  while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
  return part.charCodeAt(matched) === unit ? matched + 1 : matched;
}
