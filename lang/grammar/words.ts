import {
  EmbeddedActionsParser,
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

class SyntaxLimit extends Error {}

export class WordGrammar extends EmbeddedActionsParser {
  protected source: SourceText = sourceText("", "");
  protected found: Diagnostic[] = [];
  protected docs: ReadonlyMap<number, string> = new Map();
  protected usedDocs = new Set<number>();
  protected lost = new Set<string>();

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
  protected block<T>(element: Rule<T>): Block<T> {
    this.CONSUME(OpenBrace);
    const before = this.found.length;
    const elements: T[] = [];
    if (this.RECORDING_PHASE) this.MANY(() => elements.push(this.SUBRULE(element)));
    else while (!this.atEndOfBlock()) this.recovering(() => elements.push(this.SUBRULE(element)), element);
    this.recovering(() => this.CONSUME(CloseBrace));
    return { elements, damaged: this.found.length > before };
  }

  /** Runs one step; a syntax error becomes a finding, and with `element` given what follows is skipped up to a next one. */
  protected recovering(step: () => void, element?: Rule<unknown>): void {
    const start = this.LA(1);
    try {
      step();
    } catch (error) {
      if (!isSyntaxError(error) || this.RECORDING_PHASE) throw error;
      this.found.push(syntaxError(this.source, error));
      if (this.found.length >= MAX_SYNTAX_ERRORS) throw new SyntaxLimit();
      if (element !== undefined) this.skipDamage(start);
    }
  }

  protected static isLimit(error: unknown): boolean {
    return error instanceof SyntaxLimit;
  }

  protected limitReached(): Diagnostic {
    return tooManySyntaxErrors.at(this.spanOf(this.LA(1)), { limit: MAX_SYNTAX_ERRORS });
  }

  /**
   * Skips to where a next element most likely begins: a reserved word, or the first word of a line, or the closing
   * brace, all outside of braces that were opened while skipping. Always goes past `start`.
   */
  private skipDamage(start: IToken): void {
    let depth = 0;
    while (this.LA(1).tokenType.name !== "EOF") {
      const token = this.LA(1);
      if (depth === 0 && token !== start && this.mayBegin(token)) return;
      if (token.tokenType === OpenBrace) depth++;
      if (token.tokenType === CloseBrace) {
        if (depth === 0) return;
        depth--;
      }
      if (isName(token)) this.lost.add(token.image);
      this.SKIP_TOKEN();
      if (depth === 0 && token.tokenType === CloseBrace) return;
    }
  }

  private mayBegin(token: IToken): boolean {
    if (MODE_WORDS.has(token.image)) return true;
    return isName(token) && this.isFirstOfLine(token);
  }

  protected isFirstOfLine(token: IToken): boolean {
    for (let offset = token.startOffset - 1; offset >= 0; offset--) {
      const unit = this.source.text[offset];
      if (unit === "\n" || unit === "\r") return true;
      if (unit !== " " && unit !== "\t") return false;
    }
    return true;
  }

  private atEndOfBlock(): boolean {
    const { tokenType } = this.LA(1);
    return tokenType === CloseBrace || tokenType.name === "EOF";
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

const MODE_WORDS = new Set<string>(["auto", "consent", "stepUp", "forbidden"]);

function isName(token: IToken): boolean {
  const type: TokenType = token.tokenType;
  return type === Identifier || (type.CATEGORIES?.includes(Identifier) ?? false);
}
