// Where the words of a conversation stood: each text that came in is a document of keyed digests, with its origin. An argument comes
// from an origin if its tokens stand there one behind the other.
//
// The index is bounded. Once it is full nothing is added any more, and it says that it is incomplete: then a value that is not found
// may have stood in what was left out, and whoever asks has to answer as if it came from nowhere good.

import { digestToken } from "./digest.ts";
import type { Origin } from "./origin.ts";
import { splitTokens, type Token } from "./tokens.ts";

/** A document that holds a value. */
interface Occurrence {
  readonly origin: Origin;
  /** Index of the document. */
  readonly document: number;
  /** The value is all that the document says, as an identifier is. */
  readonly isWhole: boolean;
}

interface Document {
  readonly origin: Origin;
  /** The innermost object that the leaf belongs to: documents of one record share it. */
  readonly record: number;
  readonly begin: number;
  readonly end: number;
}

/** A value as the index is asked for it. */
interface Query {
  readonly digests: readonly number[];
  /** Long enough, or of a kind that is never there by chance, to come from a longer text. */
  readonly isTelling: boolean;
}

export const MAX_TOKENS = 65_536;
export const MAX_DOCUMENTS = 8_192;
/** Digests of tokens that were seen before are remembered up to this many. */
const MAX_KNOWN = 4_096;

const WEAK = 1;
const ECHO = 2;
const MIN_NAME = 4;
const MIN_TEXT = 8;
const MAX_NAME_WORDS = 3;

export class SourceIndex {
  readonly #key: string;
  readonly #digests: number[] = [];
  readonly #flags: number[] = [];
  readonly #documents: Document[] = [];
  /** Positions of each digest, in their order. */
  readonly #positions = new Map<number, number[]>();
  readonly #known = new Map<string, number>();
  #records = 0;
  #isComplete = true;

  /** `key`: secret, and as long for one machine as for the other. */
  constructor(key: string) {
    this.#key = key;
  }

  /** Whether all that was added is in it. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Marks it as one that lost something: it could not be read, or not be kept. */
  markIncomplete(): void {
    this.#isComplete = false;
  }

  /** Returns the number of a new record, for the documents of one object. */
  openRecord(): number {
    this.#records += 1;
    return this.#records;
  }

  /**
   * Adds a text as one document. Tokens that `echoes` names stood in the call whose result this is: they are kept, and count as coming
   * from elsewhere.
   */
  add(origin: Origin, text: string, record = this.openRecord(), echoes: ReadonlySet<number> = NONE): void {
    if (!this.#isComplete) return;
    const tokens = splitTokens(text);
    if (this.#digests.length + tokens.length > MAX_TOKENS || this.#documents.length >= MAX_DOCUMENTS) {
      this.#isComplete = false;
      return;
    }
    const begin = this.#digests.length;
    for (const token of tokens) {
      const digest = this.digest(token);
      const positions = this.#positions.get(digest);
      if (positions === undefined) this.#positions.set(digest, [this.#digests.length]);
      else positions.push(this.#digests.length);
      this.#digests.push(digest);
      this.#flags.push((token.isWeak ? WEAK : 0) | (echoes.has(digest) ? ECHO : 0));
    }
    this.#documents.push({ origin, record, begin, end: this.#digests.length });
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

  /** Returns what to look for, or `undefined` for a value that has no tokens: it comes from nowhere. */
  prepare(value: string): Query | undefined {
    const tokens = splitTokens(value);
    if (tokens.length === 0) return undefined;
    return { digests: tokens.map((token) => this.digest(token)), isTelling: isTelling(tokens) };
  }

  /** Returns the documents that hold a value, in the order in which they came. Echoes are not among them. */
  find({ digests, isTelling: tells }: Query): readonly Occurrence[] {
    const found: Occurrence[] = [];
    for (const begin of this.#findSequences(digests)) {
      const document = this.#findDocument(begin);
      const at = this.#documents[document];
      if (at === undefined || begin + digests.length > at.end || found.at(-1)?.document === document) continue;
      if (this.#hasFlag(begin, digests.length, ECHO)) continue;
      const isWhole = begin === at.begin && begin + digests.length === at.end;
      const isWeak = digests.length === 1 && this.#hasFlag(begin, 1, WEAK);
      if (isWhole || (tells && !isWeak)) found.push({ origin: at.origin, document, isWhole });
    }
    return found;
  }

  /** Returns the digests of a field of the record that a document belongs to; empty if it has none. */
  readSibling(document: number, field: string): readonly number[] {
    const of = this.#documents[document];
    if (of === undefined || of.origin.which !== "result") return [];
    for (let at = document; this.#documents[at]?.record === of.record; at -= 1)
      if (this.#isField(at, field)) return this.#read(at);
    for (let at = document + 1; this.#documents[at]?.record === of.record; at += 1)
      if (this.#isField(at, field)) return this.#read(at);
    return [];
  }

  #isField(document: number, field: string): boolean {
    const { origin } = this.#documents[document] ?? {};
    return origin?.which === "result" && origin.field === field;
  }

  #read(document: number): readonly number[] {
    const { begin, end } = this.#documents[document] ?? { begin: 0, end: 0 };
    return this.#digests.slice(begin, end);
  }

  /** Begins of a sequence, across documents. Linear: each position is compared once (Knuth, Morris, Pratt) where a few would not do. */
  #findSequences(digests: readonly number[]): readonly number[] {
    const [first, ...rest] = digests;
    if (first === undefined) return [];
    const begins = this.#positions.get(first) ?? [];
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

  /** By halves: documents stand in the order of their tokens. */
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

/** A whole address, link, account or file tells enough; a name needs 4 characters, any other text 8, and a number its unit or 3 digits. */
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
