// Searches the texts of one request for content that the page masks. A text that is JSON is searched leaf by leaf, without its
// escapes. Other text is searched unchanged, joined with the plain texts beside it, so that a match may span messages.
import {
  findOccurrences,
  findTexts,
  isList,
  isRecord,
  type Json,
  joinSpans,
  readJson,
  renderCanonicalJson,
  type SearchBudget,
  type SearchPattern,
  type Span,
} from "../../lib/policy/index.ts";

export const MASK = "[redacted]";
/** Maximum search steps of one request, which take several seconds without a JIT compiler. */
const MOST_STEPS = 1 << 25;
/** Maximum nesting of texts inside texts; deeper ones are masked as a whole. */
const MOST_NESTING = 4;
/** Matches the note that the gate and the loop append to a shortened text. */
const CUT = / ?\[cut: \d+ more (?:bytes|characters)\]/g;
const LIKE_JSON = /^\s*[[{"]/;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const PLAIN_ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * Returns one part of a request with its matches masked, so that it may be sent. It may be called only after the whole
 * request was searched.
 */
export type Render<T> = () => T;

/** Patterns and values that one redaction searches for. */
export interface Sought {
  readonly patterns: readonly SearchPattern[];
  readonly values: readonly string[];
}

/** `leaf` is a value of JSON, which is searched separately. `shadow` is a text without its escapes, which is searched but not sent. */
interface Segment {
  readonly text: string;
  readonly kind: "plain" | "leaf" | "shadow";
  spans: readonly Span[];
}

/** Returns the budget of steps that all searches of one request share. */
export function createSearchBudget(): SearchBudget {
  return { left: MOST_STEPS };
}

export class SearchedTexts {
  readonly #segments: Segment[] = [];
  readonly #budget: SearchBudget;
  /** Number of texts that are masked as a whole, because a match in them cannot be masked alone. */
  wholes = 0;

  constructor(budget: SearchBudget) {
    this.#budget = budget;
  }

  /** Adds a text that is searched. `whole` replaces the text if the positions of its matches cannot be determined. */
  addText(text: string, whole = MASK, depth = 0): Render<string> {
    if (!LIKE_JSON.test(text)) return this.#addSegment(text, depth === 0 ? "plain" : "leaf");
    const json = this.#addJson(text, whole, depth);
    if (json !== undefined) return json;
    const lines = text.split("\n");
    const read = lines.length === 2 ? lines.flatMap((line) => this.#addJson(line, MASK, depth) ?? []) : [];
    if (read.length === 2) return () => read.map((line) => line()).join("\n");
    return this.#addBroken(text, whole);
  }

  /** Adds a text that is searched by itself, such as a name or a number. */
  addWord(text: string): Render<string> {
    return this.#addSegment(text, "leaf");
  }

  /** Returns the number of matches for each redaction, or `undefined` if there is too much to search. */
  search(sought: readonly Sought[]): readonly number[] | undefined {
    const places = sought.map(() => 0);
    for (const run of this.#listRuns()) {
      const text = run.map((one) => one.text).join("");
      const cuts = new Set([...text.matchAll(CUT)].map(({ index }) => index));
      const all: Span[] = [];
      for (const [index, { patterns, values }] of sought.entries()) {
        const found = this.#find(text, cuts, { patterns, values });
        if (found === undefined) return undefined;
        if (run[0]?.kind !== "shadow") places[index] = (places[index] ?? 0) + found.length;
        all.push(...found);
      }
      placeSpans(run, joinSpans(all));
    }
    return places;
  }

  #find(text: string, cuts: ReadonlySet<number>, { patterns, values }: Sought): readonly Span[] | undefined {
    const found = [
      ...patterns.map((pattern) => findOccurrences(text, pattern, this.#budget, cuts)),
      ...values.map((value) => findTexts(text, value, this.#budget)),
    ];
    const known = found.flatMap((spans) => (spans === undefined ? [] : [spans]));
    return known.length < found.length ? undefined : joinSpans(known.flat());
  }

  /**
   * Returns the segments of the searched texts, grouped into runs. Consecutive plain texts form one run, because a
   * match may span them; any other segment is a run of its own.
   */
  #listRuns(): readonly (readonly Segment[])[] {
    const runs: Segment[][] = [];
    for (const segment of this.#segments) {
      const last = runs.at(-1);
      if (segment.kind === "plain" && last?.[0]?.kind === "plain") last.push(segment);
      else runs.push([segment]);
    }
    return runs;
  }

  #addSegment(text: string, kind: Segment["kind"]): Render<string> {
    const segment: Segment = { text, kind, spans: [] };
    if (text !== "") this.#segments.push(segment);
    return () => renderMasked(segment);
  }

  #addJson(text: string, whole: string, depth: number): Render<string> | undefined {
    const read = readJson(text);
    if (!read.ok) return undefined;
    if (depth >= MOST_NESTING) {
      this.wholes += 1;
      return () => whole;
    }
    const from = this.#segments.length;
    const value = this.#addValue(read.value, depth + 1);
    const mine = this.#segments.slice(from);
    // Return a text without a match unchanged, and not in canonical form.
    return () => (mine.some(({ spans }) => spans.length > 0) ? renderCanonicalJson(value()) : text);
  }

  #addValue(value: Json, depth: number): Render<Json> {
    if (isList(value)) {
      const elements = value.map((element) => this.#addValue(element, depth));
      return () => elements.map((element) => element());
    }
    if (isRecord(value)) {
      const fields = Object.entries(value).map(
        ([name, inner]) => [this.addWord(name), this.#addValue(inner, depth)] as const,
      );
      return () => Object.fromEntries(fields.map(([name, inner]) => [name(), inner()]));
    }
    if (typeof value === "string") return this.addText(value, MASK, depth);
    const word = renderCanonicalJson(value);
    const rendered = this.addWord(word);
    return () => (rendered() === word ? value : rendered());
  }

  /**
   * Adds text that is not complete JSON. If a match contains escapes, it cannot be masked alone; then the whole text is
   * masked.
   */
  #addBroken(text: string, whole: string): Render<string> {
    const raw: Segment = { text, kind: "leaf", spans: [] };
    this.#segments.push(raw);
    const shadows: Segment[] = [];
    let reading = text;
    for (let level = 0; level <= MOST_NESTING; level++) {
      const next = undoEscapes(reading);
      if (next === reading) break;
      shadows.push({ text: next, kind: "shadow", spans: [] });
      reading = next;
    }
    this.#segments.push(...shadows);
    return () => (shadows.some(({ spans }) => spans.length > raw.spans.length) ? whole : renderMasked(raw));
  }
}

function undoEscapes(text: string): string {
  return text.replace(ESCAPE, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (PLAIN_ESCAPES[letter ?? ""] ?? letter ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/**
 * Assigns to each segment of a run the parts of the matches that lie in it. `spans` are the matches in the text of the
 * whole run.
 */
function placeSpans(run: readonly Segment[], spans: readonly Span[]): void {
  let offset = 0;
  for (const segment of run) {
    const from = offset;
    const to = from + segment.text.length;
    segment.spans = spans
      .filter(({ start, end }) => start < to && end > from)
      .map(({ start, end }) => ({ start: Math.max(start - from, 0), end: Math.min(end, to) - from }));
    offset = to;
  }
}

function renderMasked({ text, spans }: Segment): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of spans) {
    parts.push(text.slice(at, start), MASK);
    at = end;
  }
  return parts.join("") + text.slice(at);
}
