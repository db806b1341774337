// An index of a conversation's words: each incoming text is a document of keyed digests, with its origin. An argument comes from an
// origin if its tokens occur in sequence in a text of this origin.
//
// The index is bounded. A full index accepts no more texts, and reports that it is incomplete. A value that is not found may then be
// in the missing part, and the caller must fail closed.

import { digestToken } from "./digest.ts";
import type { Origin } from "./origin.ts";
import { MAX_TEXT_LENGTH, splitTokens, type Token } from "./tokens.ts";

/** A document that contains a value. */
export interface Occurrence {
  readonly origin: Origin;
  /** Index of the document. */
  readonly document: number;
  /** Whether the value is the whole document, as for an identifier. */
  readonly isWhole: boolean;
}

/** One text of the conversation, such as a typed line, or one field of a result. */
export interface Document {
  readonly origin: Origin;
  /** Number of the innermost object that contains the text; documents of one record have the same number. */
  readonly record: number;
  /** Number of the call whose result or arguments contain the text; 0 if there is no call. */
  readonly call: number;
  /** Whether the text, if it is searched for as a value, is specific enough to count inside a longer text. */
  readonly isTelling: boolean;
  readonly begin: number;
  readonly end: number;
}

/** A value in the form in which the index is queried. */
export interface Query {
  readonly digests: readonly number[];
  /**
   * Whether a match inside a longer text counts, because the value is long, or of a kind that does not occur by chance.
   */
  readonly isTelling: boolean;
  /** Whether the value is a capitalized name of three letters: within a longer text it matches only a token that is capitalized as well. */
  readonly isShortName: boolean;
}

/** The record and the call that a document belongs to. */
interface Belonging {
  readonly record?: number;
  readonly call?: number;
  /**
   * Tokens that occurred in the arguments of the result's own call, or that the conversation wrote earlier: the result
   * is not their source.
   */
  readonly echoes?: ReadonlySet<number>;
}

export const MAX_TOKENS = 65_536;
export const MAX_DOCUMENTS = 8_192;
/** Maximum tokens whose digests are cached. */
const MAX_KNOWN = 4_096;

export const WEAK = 1;
export const ECHO = 2;
export const SHORT_NAME = 4;
const MIN_NAME = 4;
const MIN_TEXT = 8;
const MAX_NAME_WORDS = 3;

export class SourceIndex {
  readonly #key: string;
  readonly #digests: number[] = [];
  readonly #flags: number[] = [];
  readonly #documents: Document[] = [];
  /** Positions of each token's digest in `#digests`, in order; most digests have one position. */
  readonly #positions = new Map<number, number | number[]>();
  readonly #known = new Map<string, number>();
  #records = 0;
  #calls = 0;
  #isComplete = true;

  /** `key` is the secret from which digests of tokens are computed; it has the same length on every machine. */
  constructor(key: string) {
    this.#key = key;
  }

  /** Returns whether the index contains everything that was added. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get documents(): readonly Document[] {
    return this.#documents;
  }

  /** Marks the index as incomplete, because a part could not be read or stored. */
  markIncomplete(): void {
    this.#isComplete = false;
  }

  /** Returns the number of a new record, for the documents of one object. */
  openRecord(): number {
    this.#records += 1;
    return this.#records;
  }

  /** Returns the number of a new call, for a result and its arguments. */
  openCall(): number {
    this.#calls += 1;
    return this.#calls;
  }

  /** Adds a text as one document. Its tokens that are in `echoes` are stored, but the text is not a source of them. */
  add(origin: Origin, text: string, { record = this.openRecord(), call = 0, echoes = NONE }: Belonging = {}): void {
    if (text.length > MAX_TEXT_LENGTH) {
      this.#addLong(origin, text, { record, call, echoes });
      return;
    }
    const tokens = splitTokens(text);
    const digests = tokens.map((token) => this.digest(token));
    const flags = tokens.map((token, at) => computeFlags(token) | (echoes.has(digests[at] ?? -1) ? ECHO : 0));
    this.append({ origin, record, call, isTelling: isTelling(tokens) }, digests, flags);
  }

  /**
   * Adds a long text in parts that end at a blank, each as a document. If no blank comes within the limit, the index becomes incomplete.
   */
  #addLong(origin: Origin, text: string, belonging: Belonging): void {
    for (let begin = 0; begin < text.length && this.#isComplete; ) {
      const most = begin + MAX_TEXT_LENGTH;
      const blank = most >= text.length ? text.length : text.lastIndexOf(" ", most);
      if (blank <= begin) this.#isComplete = false;
      else this.add(origin, text.slice(begin, blank), belonging);
      begin = blank + 1;
    }
  }

  /** Adds a document that was split into tokens earlier, such as a stored document. */
  append(document: Omit<Document, "begin" | "end">, digests: readonly number[], flags: ArrayLike<number>): void {
    if (!this.#isComplete) return;
    const begin = this.#digests.length;
    if (begin + digests.length > MAX_TOKENS || this.#documents.length >= MAX_DOCUMENTS) {
      this.#isComplete = false;
      return;
    }
    for (const [at, digest] of digests.entries()) {
      this.#addPosition(digest);
      this.#digests.push(digest);
      this.#flags.push(flags[at] ?? 0);
    }
    this.#records = Math.max(this.#records, document.record);
    this.#calls = Math.max(this.#calls, document.call);
    this.#documents.push({ ...document, begin, end: this.#digests.length });
  }

  #addPosition(digest: number): void {
    const position = this.#digests.length;
    const before = this.#positions.get(digest);
    if (before === undefined) this.#positions.set(digest, position);
    else if (typeof before === "number") this.#positions.set(digest, [before, position]);
    else before.push(position);
  }

  /** Returns the digest of a token under this index's key. */
  digest(token: Token): number {
    const name = `${token.kind}\0${token.text}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const digest = digestToken(this.#key, token);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(name, digest);
    return digest;
  }

  /** Returns a query for a value, or `undefined` for a value without tokens, which has no source. */
  prepare(value: string): Query | undefined {
    const tokens = splitTokens(value);
    if (tokens.length === 0) return undefined;
    const isShortName = tokens.length === 1 && tokens[0]?.isShortName === true;
    return { digests: tokens.map((token) => this.digest(token)), isTelling: isTelling(tokens), isShortName };
  }

  /**
   * Returns the documents that contain a value, at most the first `most` of them, in the order in which they were
   * added. An occurrence does not count if it contains an echo, a word that a result only repeats from its call: see
   * `Belonging.echoes`.
   */
  find({ digests, isTelling: tells, isShortName }: Query, most = this.#documents.length): readonly Occurrence[] {
    const found: Occurrence[] = [];
    for (const begin of this.#findSequences(digests)) {
      const document = this.#findDocument(begin);
      const at = this.#documents[document];
      if (document >= most) break;
      if (at === undefined || begin + digests.length > at.end || found.at(-1)?.document === document) continue;
      if (at.origin.which === "argument" || at.origin.which === "written") continue;
      if (this.#hasFlag(begin, digests.length, ECHO)) continue;
      const isWhole = begin === at.begin && begin + digests.length === at.end;
      const isWeak = digests.length === 1 && this.#hasFlag(begin, 1, WEAK);
      const isNamed = isShortName && this.#hasFlag(begin, 1, SHORT_NAME);
      if (isWhole || isNamed || (tells && !isWeak)) found.push({ origin: at.origin, document, isWhole });
    }
    return found;
  }

  /** Returns a field of the record that a document belongs to, as a query; `undefined` if the record has none. */
  findSibling(document: number, field: string): Query | undefined {
    const record = this.#documents[document]?.record;
    return this.#findBeside(
      document,
      (other) => other.record === record,
      ({ origin }) => origin.which === "result" && origin.field === field,
    );
  }

  /** Returns an argument of the call that produced a document, as a query; `undefined` if the call had none. */
  findArgument(document: number, name: string): Query | undefined {
    const call = this.#documents[document]?.call ?? 0;
    if (call === 0) return undefined;
    return this.#findBeside(
      document,
      (other) => other.call === call,
      ({ origin }) => origin.which === "argument" && origin.field === name,
    );
  }

  /**
   * Searches the documents of the same record or call for one that `isWanted` accepts. Returns a query for its text, or
   * `undefined` if there is none. Documents that belong together are adjacent, so the search ends at the first one that
   * does not belong.
   */
  #findBeside(
    document: number,
    belongs: (other: Document) => boolean,
    isWanted: (other: Document) => boolean,
  ): Query | undefined {
    for (const step of [-1, 1])
      for (let at = document; ; at += step) {
        const other = this.#documents[at];
        if (other === undefined || !belongs(other)) break;
        if (isWanted(other)) return this.#askFor(other);
      }
    return undefined;
  }

  #askFor(document: Document): Query {
    const digests = this.readDigests(document);
    const isShortName = digests.length === 1 && this.#hasFlag(document.begin, 1, SHORT_NAME);
    return { digests, isTelling: document.isTelling, isShortName };
  }

  readDigests({ begin, end }: Document): readonly number[] {
    return this.#digests.slice(begin, end);
  }

  readFlags({ begin, end }: Document): Uint8Array {
    return Uint8Array.from(this.#flags.slice(begin, end));
  }

  /**
   * Returns the positions in all documents at which the sequence `digests` begins. The search is linear; for many
   * positions it uses the algorithm of Knuth, Morris and Pratt.
   */
  #findSequences(digests: readonly number[]): readonly number[] {
    const [first, ...rest] = digests;
    if (first === undefined) return [];
    const positions = this.#positions.get(first) ?? [];
    const begins = typeof positions === "number" ? [positions] : positions;
    if (rest.some((digest) => !this.#positions.has(digest))) return [];
    if (rest.length === 0) return begins;
    if (begins.length * digests.length <= MAX_TOKENS)
      return begins.filter((begin) => digests.every((digest, at) => this.#digests[begin + at] === digest));
    return findAll(this.#digests, digests);
  }

  #hasFlag(begin: number, length: number, flag: number): boolean {
    for (let at = begin; at < begin + length; at += 1) if (((this.#flags[at] ?? 0) & flag) !== 0) return true;
    return false;
  }

  /** Returns the document at a position by binary search: documents are in the order of their tokens, and an empty one has no position. */
  #findDocument(position: number): number {
    let low = 0;
    let high = this.#documents.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#documents[middle]?.begin ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const NONE: ReadonlySet<number> = new Set();
const ENTITIES: ReadonlySet<string> = new Set(["address", "url", "account", "file"]);

function computeFlags({ isWeak, isShortName = false }: Token): number {
  return (isWeak ? WEAK : 0) | (isShortName ? SHORT_NAME : 0);
}

/**
 * Returns whether a value of these tokens is specific enough to count inside a longer text. A single address, link,
 * account, file, number or date is; a name needs 4 characters, and any other text 8. `find` excludes weak tokens.
 */
function isTelling(tokens: readonly Token[]): boolean {
  const [first] = tokens;
  if (first === undefined) return false;
  if (tokens.length === 1 && (ENTITIES.has(first.kind) || first.kind === "number" || first.kind === "date"))
    return true;
  const length = tokens.reduce((sum, { text }) => sum + text.length, 0);
  const isName =
    tokens.length <= MAX_NAME_WORDS && tokens.every(({ kind, text }) => kind === "word" && /^\p{L}+$/u.test(text));
  return length >= (isName ? MIN_NAME : MIN_TEXT);
}

function findAll(text: readonly number[], pattern: readonly number[]): readonly number[] {
  const fallback = [0];
  for (let at = 1, length = 0; at < pattern.length; at += 1) {
    while (length > 0 && pattern[at] !== pattern[length]) length = fallback[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    fallback.push(length);
  }
  const begins: number[] = [];
  for (let at = 0, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== pattern[length]) length = fallback[length - 1] ?? 0;
    if (text[at] === pattern[length]) length += 1;
    if (length === pattern.length) {
      begins.push(at - length + 1);
      length = fallback[length - 1] ?? 0;
    }
  }
  return begins;
}
