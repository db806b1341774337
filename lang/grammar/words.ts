import {
  EmbeddedActionsParser,
  EOF,
  type IOrAlt,
  type IParserConfig,
  type IToken,
  type ParserMethod,
  type TokenType,
} from "chevrotain";
import { bug, type Diagnostic } from "../diagnostics/index.ts";
import { type SourceText, type Span, sourceText, span } from "../text/index.ts";
import type { LabelNode, Mode, ModeNode, Name, Numeral, Quantity, Reference, Words } from "../tree/index.ts";
import { tooManySyntaxErrors } from "./codes.ts";
import { errorMessages, isSyntaxError, syntaxError } from "./expectations.ts";
import { firstsOf } from "./firsts.ts";
import { decimalOf, textOf } from "./literals.ts";
import {
  CloseBrace,
  Colon,
  Comma,
  Dot,
  Identifier,
  type Keyword,
  NumberLiteral,
  OpenBrace,
  Range,
  Slash,
  StringLiteral,
  TOKENS,
  word,
} from "./tokens.ts";

// The lowest layer of the grammar: names, literals, labels, blocks and the recovery inside blocks. Each higher layer
// adds one kind of declaration. The tree is built while parsing; a rule that fails reports once and leaves a gap.

/** Beyond this many syntax errors in one file, reading on helps nobody and costs a message each. */
export const MAX_SYNTAX_ERRORS = 1000;

export type Rule<T> = ParserMethod<[], T>;

/** Elements of a block, and whether a syntax error was found between its braces. */
export interface Block<T> {
  readonly elements: readonly T[];
  readonly damaged: boolean;
}

/** How deep a block's elements stand: declarations, what they say, and single lines of that. */
export type Level = "declaration" | "attribute" | "line";

/** Where reading goes on after damage. */
interface Place {
  readonly element: Rule<unknown>;
  readonly level: Level;
}

const DECLARATIONS: readonly Keyword[] = [
  ...(["assert", "backend", "category", "compartments", "confidentiality", "declassify", "endorse", "image"] as const),
  ...(["ingress", "integrity", "interface", "model", "network", "principal", "service", "session", "storage"] as const),
  ...(["task", "test", "use", "waive", "worker"] as const),
];

const ATTRIBUTES: readonly Keyword[] = [
  ...(["clearance", "kind", "models", "only", "permit", "phase", "principals", "quota", "remember"] as const),
  ...(["starts", "suppress", "timeout", "when", "widen"] as const),
];

/** Words that, where a line begins with one, belong to a block further out. */
const OUTER: Readonly<Record<Level, ReadonlySet<string>>> = {
  declaration: new Set(),
  attribute: new Set(DECLARATIONS),
  line: new Set([...DECLARATIONS, ...ATTRIBUTES]),
};

class SyntaxLimit extends Error {}

export class WordGrammar extends EmbeddedActionsParser {
  protected source: SourceText = sourceText("", "");
  protected found: Diagnostic[] = [];
  protected docs: ReadonlyMap<number, string> = new Map();
  protected usedDocs = new Set<number>();
  protected lost = new Set<string>();
  private readonly firsts = new Map<string, ReadonlySet<TokenType>>();

  constructor(config: IParserConfig) {
    super([...TOKENS], { maxLookahead: 2, errorMessageProvider: errorMessages, ...config });
  }

  name: Rule<Name> = this.rule("name", () => this.nameOf(this.CONSUME(Identifier)));

  reference: Rule<Reference> = this.rule("reference", () => {
    const parts = [this.SUBRULE(this.name)];
    this.MANY(() => {
      this.CONSUME(Dot);
      parts.push(this.SUBRULE(this.member));
    });
    return this.ACTION(() => this.joined(parts));
  });

  /** Behind a dot and for arguments a reserved word may be quoted. */
  member: Rule<Name> = this.rule("member", () =>
    this.oneOf([
      { ALT: () => this.SUBRULE(this.name) },
      {
        ALT: () => {
          const { value, span } = this.SUBRULE(this.words);
          return { text: value, span };
        },
      },
    ]),
  );

  words: Rule<Words> = this.rule("words", () => {
    const token = this.CONSUME(StringLiteral);
    return this.ACTION(() => {
      const at = this.spanOf(token);
      return { value: textOf(token.image, at, (diagnostic) => this.found.push(diagnostic)), span: at };
    });
  });

  numeral: Rule<Numeral> = this.rule("numeral", () => {
    const token = this.CONSUME(NumberLiteral);
    return this.ACTION(() => ({ decimal: decimalOf(token.image), span: this.spanOf(token) }));
  });

  quantity: Rule<Quantity> = this.rule("quantity", () => {
    const start = this.start();
    const amount = this.SUBRULE(this.numeral);
    const unit = this.SUBRULE(this.name);
    return { amount, unit, span: this.since(start) };
  });

  names: Rule<Name[]> = this.rule("names", () => {
    const names: Name[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => names.push(this.SUBRULE(this.name)) });
    return names;
  });

  texts: Rule<Words[]> = this.rule("texts", () => {
    const texts: Words[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => texts.push(this.SUBRULE(this.words)) });
    return texts;
  });

  truth: Rule<boolean> = this.rule("truth", () =>
    this.oneOf([
      { ALT: () => this.CONSUME(word("true")) !== undefined },
      { ALT: () => this.CONSUME(word("false")) === undefined },
    ]),
  );

  label: Rule<LabelNode> = this.rule("label", () => {
    const start = this.start();
    const level = this.SUBRULE(this.name);
    const compartments = this.OPTION(() => {
      this.CONSUME(Colon);
      this.CONSUME(OpenBrace);
      const names = this.SUBRULE(this.names);
      this.CONSUME(CloseBrace);
      return names;
    });
    const integrity = this.OPTION1(() => {
      this.CONSUME(Slash);
      return this.SUBRULE1(this.name);
    });
    return { level, compartments: compartments ?? [], integrity, span: this.since(start) };
  });

  labelRange: Rule<{ low: LabelNode; high: LabelNode }> = this.rule("labelRange", () => {
    const low = this.SUBRULE(this.label);
    const high = this.OPTION(() => {
      this.CONSUME(Range);
      return this.SUBRULE1(this.label);
    });
    return { low, high: high ?? low };
  });

  mode: Rule<ModeNode> = this.rule("mode", () =>
    this.oneOf([
      { ALT: () => this.modeOf("auto", this.CONSUME(word("auto"))) },
      { ALT: () => this.SUBRULE(this.gate) },
      { ALT: () => this.modeOf("forbidden", this.CONSUME(word("forbidden"))) },
    ]),
  );

  gate: Rule<ModeNode> = this.rule("gate", () =>
    this.oneOf([
      { ALT: () => this.modeOf("consent", this.CONSUME(word("consent"))) },
      { ALT: () => this.modeOf("stepUp", this.CONSUME(word("stepUp"))) },
    ]),
  );

  because: Rule<Words> = this.rule("because", () => {
    this.CONSUME(word("because"));
    return this.SUBRULE(this.words);
  });

  /** A rule whose body is held to the type of what it gives. */
  protected rule<T>(name: string, body: () => T): Rule<T> {
    return this.RULE(name, body);
  }

  /** Takes a keyword and gives its text. */
  protected says<W extends Keyword>(text: W): W {
    this.CONSUME(word(text));
    return text;
  }

  /** One of several alternatives of one type. At most one in a rule. */
  protected oneOf<T>(alternatives: readonly IOrAlt<T>[]): T {
    return this.OR([...alternatives]);
  }

  /**
   * `{ element … }`. An element that cannot be read is reported, skipped and left out; reading goes on with the next
   * one. Each rule that uses it may use it once, and no braces or MANY of index 0 beside it.
   */
  protected block<T>(element: Rule<T>, level: Level = "attribute"): Block<T> {
    if (this.RECORDING_PHASE || !this.fits(this.LA(1), { element, level })) this.CONSUME(OpenBrace);
    else this.recovering(() => this.CONSUME(OpenBrace));
    const before = this.found.length;
    const elements: T[] = [];
    if (this.RECORDING_PHASE) this.MANY(() => elements.push(this.SUBRULE(element)));
    else this.elementsOf({ element, level }, () => elements.push(this.SUBRULE(element)));
    this.recovering(() => this.CONSUME(CloseBrace));
    return { elements, damaged: this.found.length > before };
  }

  /** Reads elements until the block ends, one way or another. */
  protected elementsOf(place: Place, read: () => void): void {
    while (!this.endsHere(place)) this.recovering(read, place);
  }

  /** Runs one step; a syntax error becomes a finding, and what cannot be read is skipped up to a next element. */
  protected recovering(step: () => void, place?: Place): void {
    const start = this.LA(1);
    try {
      step();
    } catch (error) {
      if (!isSyntaxError(error) || this.RECORDING_PHASE) throw error;
      this.find(syntaxError(this.source, error));
      if (place !== undefined) this.skipDamage(start, place);
    }
  }

  /** Several blocks may miss their closing brace at one place: that is one mistake. */
  private find(diagnostic: Diagnostic): void {
    const before = this.found.at(-1);
    const same = before?.span.start === diagnostic.span.start && before.message === diagnostic.message;
    if (!same) this.found.push(diagnostic);
    if (this.found.length >= MAX_SYNTAX_ERRORS) throw new SyntaxLimit();
  }

  protected static isLimit(error: unknown): boolean {
    return error instanceof SyntaxLimit;
  }

  protected limitReached(): Diagnostic {
    return tooManySyntaxErrors.at(span(this.source, this.reached(), this.reached()), { limit: MAX_SYNTAX_ERRORS });
  }

  /** Offset of the next token, or of the end. */
  private reached(): number {
    const { startOffset } = this.LA(1);
    return Number.isNaN(startOffset) ? this.source.text.length : startOffset;
  }

  /**
   * Skips to where a next element may begin, or the block ends, outside of braces that were opened while skipping.
   * Always goes past `start`, or up to the brace that closes the block.
   */
  private skipDamage(start: IToken, place: Place): void {
    let depth = this.openedSince(start);
    while (this.LA(1).tokenType !== EOF) {
      const token = this.LA(1);
      if (depth === 0 && token !== start && (this.mayBegin(token, place) || this.endsHere(place))) return;
      if (token.tokenType === CloseBrace) {
        if (depth === 0) return;
        depth--;
      }
      if (token.tokenType === OpenBrace) depth++;
      if (isName(token)) this.lost.add(token.image);
      this.SKIP_TOKEN();
      // Behind a block that was skipped as a whole the next element may follow on the same line.
      if (depth === 0 && token.tokenType === CloseBrace && this.fits(this.LA(1), place)) return;
    }
  }

  /** Braces that the damaged element has opened and not closed: its own closing braces must not end the block. */
  private openedSince(start: IToken): number {
    const { startOffset: end } = this.LA(1);
    let depth = 0;
    for (let index = this.indexOf(start); index < this.input.length; index++) {
      const token = this.input[index];
      if (token === undefined || token.startOffset >= end) break;
      if (token.tokenType === OpenBrace) depth++;
      if (token.tokenType === CloseBrace) depth = Math.max(0, depth - 1);
    }
    return depth;
  }

  /** Place of a token in the input, by halving: a search from the start for each of a thousand errors takes too long. */
  private indexOf(token: IToken): number {
    let low = 0;
    let high = this.input.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.input[middle]?.startOffset ?? 0) < token.startOffset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A word that is also a name begins an element only where a line begins. */
  private mayBegin(token: IToken, place: Place): boolean {
    return this.fits(token, place) && (!isName(token) || this.isFirstOfLine(token));
  }

  private fits({ tokenType }: IToken, { element }: Place): boolean {
    const firsts = this.firstsOf(element);
    return firsts.has(tokenType) || (tokenType.CATEGORIES?.some((type) => firsts.has(type)) ?? false);
  }

  private firstsOf(element: Rule<unknown> & { ruleName?: string }): ReadonlySet<TokenType> {
    const name = element.ruleName ?? bug("a rule without a name");
    const before = this.firsts.get(name);
    if (before !== undefined) return before;
    const firsts = firstsOf(this.getGAstProductions()[name] ?? bug(`no rule ${name}`));
    this.firsts.set(name, firsts);
    return firsts;
  }

  /** At the closing brace, at the end, or where a line begins with a word of an outer block: then the brace is missing. */
  private endsHere(place: Place): boolean {
    const token = this.LA(1);
    if (token.tokenType === CloseBrace || token.tokenType === EOF) return true;
    if (!OUTER[place.level].has(token.image) || !this.isFirstOfLine(token)) return false;
    return !this.mayBegin(token, place);
  }

  protected isFirstOfLine(token: IToken): boolean {
    for (let offset = token.startOffset - 1; offset >= 0; offset--) {
      const unit = this.source.text[offset];
      if (unit === "\n" || unit === "\r") return true;
      if (unit !== " " && unit !== "\t") return false;
    }
    return true;
  }

  protected start(): number {
    return this.LA(1).startOffset;
  }

  /** From an offset to the end of the last token taken. */
  protected since(start: number): Span {
    return this.ACTION(() => {
      const last = this.LA(0);
      return span(this.source, start, Math.max(start, last.startOffset + last.image.length));
    });
  }

  /** Text of the `///` lines before the element that starts at an offset; taken once. */
  protected docAt(start: number): string {
    const doc = this.docs.get(start);
    if (doc === undefined) return "";
    this.usedDocs.add(start);
    return doc;
  }

  protected spanOf(token: IToken): Span {
    return span(this.source, token.startOffset, token.startOffset + token.image.length);
  }

  protected nameOf(token: IToken): Name {
    return { text: token.image, span: this.spanOf(token) };
  }

  protected joined(parts: readonly Name[]): Reference {
    const first = parts[0] ?? bug("a reference without parts");
    const last = parts[parts.length - 1] ?? first;
    const text = parts.map((part) => part.text).join(".");
    return { parts, text, span: span(this.source, first.span.start, last.span.end) };
  }

  /** Where a keyword's own place is what a message should underline. */
  protected keyword(token: IToken): Span {
    return this.spanOf(token);
  }

  private modeOf(mode: Mode, token: IToken): ModeNode {
    return { mode, span: this.spanOf(token) };
  }
}

function isName(token: IToken): boolean {
  const type: TokenType = token.tokenType;
  return type === Identifier || (type.CATEGORIES?.includes(Identifier) ?? false);
}
