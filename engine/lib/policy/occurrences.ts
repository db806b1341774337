// Finds a pattern inside a longer text. All positions advance together, one character at a time, so that the time is at most the text's
// length times the pattern's.
import { parseWildcard } from "./wildcard.ts";

/** A part of a text, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A pattern prepared for searching: each step is a code point, or `ANY` or `DIGIT`. */
export interface SearchPattern {
  readonly steps: Int32Array;
  /**
   * For each step, 1 if a run without white space may precede it, otherwise 0; the last entry is for a run after the
   * last step.
   */
  readonly hasStar: Uint8Array;
}

/** Number of comparisons that all searches of one request together may still make. */
export interface SearchBudget {
  left: number;
}

/** Maximum number of redactions of a page; each is searched for in each request. */
export const MOST_REDACTIONS = 32;
export const MOST_PATTERNS = 64;
const ANY = -1;
const DIGIT = -2;
const NOWHERE = -1;
/** Minimum number of characters of a pattern besides stars: a shorter pattern would mask a large part of every text. */
const LEAST_STEPS = 3;

/**
 * Returns the pattern that a text spells. Returns `undefined` if the text is not a pattern of `matches`, has fewer than
 * three characters besides stars, or has only stars and question marks.
 */
export function parseSearchPattern(text: string): SearchPattern | undefined {
  const runs = parseWildcard(text);
  if (runs === undefined) return undefined;
  const steps = runs.flat().map((step) => {
    if (step.which === "character") return step.character.codePointAt(0) ?? ANY;
    return step.which === "digit" ? DIGIT : ANY;
  });
  if (steps.length < LEAST_STEPS || steps.every((step) => step === ANY)) return undefined;
  const hasStar = new Uint8Array(steps.length + 1);
  let at = 0;
  for (const run of runs.slice(0, -1)) {
    at += run.length;
    hasStar[at] = 1;
  }
  return { steps: Int32Array.from(steps), hasStar };
}

/**
 * Returns the spans of the pattern's occurrences, in order and disjoint, or `undefined` if the budget is exhausted.
 * `cuts` are the positions at which some text is missing. The beginning of an occurrence right before such a position
 * counts too.
 */
export function findOccurrences(
  text: string,
  { steps, hasStar }: SearchPattern,
  budget: SearchBudget,
  cuts: ReadonlySet<number> = new Set(),
): readonly Span[] | undefined {
  const last = steps.length;
  /**
   * `starts[n]` is the position at which the longest text begins that ends at the current character and matches the
   * first `n` steps of the pattern.
   */
  const starts = new Int32Array(last + 1).fill(NOWHERE);
  const covered = new Cover();
  let highest = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const end = at + (code > 0xffff ? 2 : 1);
    if (starts[0] === NOWHERE) starts[0] = at;
    budget.left -= highest + 1;
    if (budget.left < 0) return undefined;
    const isBlank = isWhiteSpace(code);
    const top = Math.min(highest + 1, last);
    // The loop is not split into functions, because it is the whole cost of a search.
    for (let place = top; place >= 0; place--) {
      let start = hasStar[place] === 1 && !isBlank ? (starts[place] ?? NOWHERE) : NOWHERE;
      const before = place === 0 ? NOWHERE : (starts[place - 1] ?? NOWHERE);
      if (before !== NOWHERE && (start === NOWHERE || before < start)) {
        const step = steps[place - 1] ?? ANY;
        const isOfStep = step === code || step === ANY || (step === DIGIT && code >= 0x30 && code <= 0x39);
        if (isOfStep) start = before;
      }
      starts[place] = start;
    }
    highest = top;
    while (highest > 0 && starts[highest] === NOWHERE) highest--;
    const start = starts[last] ?? NOWHERE;
    if (start !== NOWHERE) covered.add(start, end);
    if (cuts.has(end)) {
      const begun = [...starts.subarray(1)].filter((one) => one !== NOWHERE);
      if (begun.length > 0) covered.add(Math.min(...begun), end);
    }
    at = end;
  }
  return covered.spans;
}

/** Returns the spans of a literal text, or `undefined` if the budget is exhausted. */
export function findTexts(text: string, sought: string, budget: SearchBudget): readonly Span[] | undefined {
  budget.left -= text.length;
  if (budget.left < 0) return undefined;
  const covered = new Cover();
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) covered.add(at, at + sought.length);
  return covered.spans;
}

/** Returns the spans that any of these parts cover, in order and disjoint. */
export function joinSpans(parts: readonly Span[]): readonly Span[] {
  const covered = new Cover();
  for (const { start, end } of parts.toSorted((one, other) => one.end - other.end)) covered.add(start, end);
  return covered.spans;
}

/** Merges spans that are added in order of their ends. */
class Cover {
  readonly spans: Span[] = [];

  add(from: number, end: number): void {
    let start = from;
    for (let before = this.spans.at(-1); before !== undefined && before.end >= start; before = this.spans.at(-1)) {
      start = Math.min(start, before.start);
      this.spans.pop();
    }
    this.spans.push({ start, end });
  }
}

/** Returns whether a character is white space, as `\s` of ECMAScript defines it. */
function isWhiteSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return /\s/u.test(String.fromCodePoint(code));
}
