import { makeSpan, type SourceText, type Span } from "../../text/index.ts";
import type { Name, Numeral, Words } from "../../tree/index.ts";
import { MAX_DIGITS } from "../findings.ts";
import { normalizeDecimal, unescapeText } from "../literals.ts";
import type { ScanResult } from "../scanner.ts";
import type { Tokens } from "../tokens.ts";
import { type Kind, LAST_NAME } from "../vocabulary.ts";

/**
 * Error for a page that needs the full grammar. It exists once, because a stack trace for each wrong page would cost more
 * than parsing it.
 */
export const NOT_STRAIGHT = new Error("the page has an error: the grammar reads it again");

/** Place among the tokens of a page, with the operations that every rule uses. */
export class Cursor {
  /** Kind of the next token. */
  kind: Kind;
  /** Starts of the tokens whose doc comments were taken. */
  readonly documented = new Set<number>();
  private readonly source: SourceText;
  private readonly docs: ReadonlyMap<number, string>;
  private readonly tokens: Tokens;
  private index = 0;
  /** Whether the page has backslashes; if not, no string is searched for escapes. */
  private readonly hasBackslashes: boolean;
  private readonly shared: string[] = new Array<string>(1024).fill("");
  /** Starts of the tokens with doc comments, in order, and the index of the first that was not passed yet. */
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

  /** Kind of the token behind the next one. */
  peekSecond(): Kind {
    return this.tokens.getKind(this.index + 1);
  }

  take(kind: Kind): void {
    if (this.kind !== kind) this.refuse();
    this.step();
  }

  /** Takes the next token if it is of that kind, and says whether it was. */
  tryTake(kind: Kind): boolean {
    if (this.kind !== kind) return false;
    this.step();
    return true;
  }

  start(): number {
    return this.tokens.start(this.index);
  }

  /** From an offset to the end of the last token taken. */
  closeSpan(start: number): Span {
    return makeSpan(this.source, start, this.tokens.end(this.index - 1));
  }

  /** Text of the `///` lines before the next token. */
  takeDoc(): string {
    const start = this.start();
    while ((this.docStarts[this.nextDoc] ?? start) < start) this.nextDoc++;
    if (this.docStarts[this.nextDoc] !== start) return "";
    this.documented.add(start);
    return this.docs.get(start) ?? "";
  }

  isName(): boolean {
    // The last name is the strange one, and no page with it is straight.
    return this.index < this.tokens.count && (this.tokens.codes[this.index] ?? LAST_NAME) < LAST_NAME;
  }

  takeName(): Name {
    if (!this.isName()) this.refuse();
    return this.takeToken();
  }

  /** Behind a dot and for arguments a reserved word may be quoted. */
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

  /** One token, whatever it is. */
  private takeToken(): Name {
    const start = this.tokens.start(this.index);
    const end = this.tokens.end(this.index);
    this.step();
    return { text: this.cut(start, end), span: makeSpan(this.source, start, end) };
  }

  /** The text between two offsets. Pages say the same names again and again: one string for each is enough. */
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

/** A wrong escape in a text is an error like any other. */
function refuseEscape(): never {
  throw NOT_STRAIGHT;
}
