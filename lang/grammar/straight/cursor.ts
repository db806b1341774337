import { makeSpan, type SourceText, type Span } from "../../text/index.ts";
import type { Name, Numeral, Words } from "../../tree/index.ts";
import { MAX_DIGITS } from "../findings.ts";
import { normalizeDecimal, unescapeText } from "../literals.ts";
import type { ScanResult } from "../scanner.ts";
import type { Tokens } from "../tokens.ts";
import { type Kind, LAST_NAME } from "../vocabulary.ts";

/**
 * Error for a page that needs the full grammar. The object is created only once, because a stack trace for each invalid
 * page would cost more than parsing the page.
 */
export const NOT_STRAIGHT = new Error("the page has an error: the grammar reads it again");

/** Position among the tokens of a page, with the operations that every rule uses. */
export class Cursor {
  /** Kind of the next token. */
  kind: Kind;
  /** Offsets of the tokens whose doc comments were used. */
  readonly documented = new Set<number>();
  private readonly source: SourceText;
  private readonly docs: ReadonlyMap<number, string>;
  private readonly tokens: Tokens;
  private index = 0;
  /** Whether the page contains a backslash; if not, texts are not searched for escapes. */
  private readonly hasBackslashes: boolean;
  private readonly shared: string[] = new Array<string>(1024).fill("");
  /** Offsets of the tokens with doc comments, in order, and the index of the first one after the cursor. */
  private readonly docStarts: readonly number[];
  private nextDoc = 0;

  constructor({ source, tokens }: ScanResult, docs: ReadonlyMap<number, string>) {
    this.source = source;
    this.tokens = tokens;
    this.docs = docs;
    this.docStarts = [...docs.keys()];
    this.kind = tokens.getKind(0);
    this.hasBackslashes = source.text.includes("\\");
  }

  refuse(): never {
    throw NOT_STRAIGHT;
  }

  step(): void {
    this.index++;
    this.kind = this.tokens.getKind(this.index);
  }

  /** Returns the kind of the token after the next one. */
  peekSecond(): Kind {
    return this.tokens.getKind(this.index + 1);
  }

  take(kind: Kind): void {
    if (this.kind !== kind) this.refuse();
    this.step();
  }

  /** Consumes the next token if it has the given kind. Returns whether a token was consumed. */
  tryTake(kind: Kind): boolean {
    if (this.kind !== kind) return false;
    this.step();
    return true;
  }

  start(): number {
    return this.tokens.start(this.index);
  }

  /** Returns the span from an offset to the end of the last consumed token. */
  closeSpan(start: number): Span {
    return makeSpan(this.source, start, this.tokens.end(this.index - 1));
  }

  /** Returns the text of the `///` lines before the next token, and marks them as used. */
  takeDoc(): string {
    const start = this.start();
    while ((this.docStarts[this.nextDoc] ?? start) < start) this.nextDoc++;
    if (this.docStarts[this.nextDoc] !== start) return "";
    this.documented.add(start);
    return this.docs.get(start) ?? "";
  }

  isName(): boolean {
    // Codes below `LAST_NAME` are names for this parser. `LAST_NAME` is the code of a name with letters outside of
    // ASCII: this parser refuses it, and the full grammar parses the page.
    return this.index < this.tokens.count && (this.tokens.codes[this.index] ?? LAST_NAME) < LAST_NAME;
  }

  takeName(): Name {
    if (!this.isName()) this.refuse();
    return this.takeToken();
  }

  /** Parses a name after a dot, or the name of an argument. In these places a reserved word in quotation marks is a name. */
  takeMember(): Name {
    if (this.kind !== "String") return this.takeName();
    const { value, span } = this.takeWords();
    return { text: value, span };
  }

  takeWords(): Words {
    if (this.kind !== "String") this.refuse();
    const start = this.tokens.start(this.index);
    const end = this.tokens.end(this.index);
    this.step();
    const at = makeSpan(this.source, start, end);
    const inner = this.cut(start + 1, end - 1);
    return {
      value: this.hasBackslashes && inner.includes("\\") ? unescapeText(`"${inner}"`, at, refuseEscape) : inner,
      span: at,
    };
  }

  takeNumeral(): Numeral {
    if (this.kind !== "Number") this.refuse();
    const { text, span } = this.takeToken();
    if (text.length > MAX_DIGITS) this.refuse();
    return { decimal: normalizeDecimal(text), span };
  }

  /** Consumes one token of any kind. */
  private takeToken(): Name {
    const start = this.tokens.start(this.index);
    const end = this.tokens.end(this.index);
    this.step();
    return { text: this.cut(start, end), span: makeSpan(this.source, start, end) };
  }

  /**
   * Returns the text between two offsets. Pages repeat the same names, so the function keeps short texts, and usually
   * returns the kept string if an equal text comes again.
   */
  private cut(start: number, end: number): string {
    const { text } = this.source;
    if (end - start > LONGEST_SHARED) return text.slice(start, end);
    const slot =
      (text.charCodeAt(start) * 31 + text.charCodeAt(end - 1) * 7 + (end - start) * 3) & (this.shared.length - 1);
    const before = this.shared[slot] ?? "";
    if (before.length === end - start && text.startsWith(before, start)) return before;
    const cut = text.slice(start, end);
    this.shared[slot] = cut;
    return cut;
  }
}

const LONGEST_SHARED = 40;

/** Stops the parsing at an invalid escape, so that the full grammar reports it. */
function refuseEscape(): never {
  throw NOT_STRAIGHT;
}
