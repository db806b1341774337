import { EmbeddedActionsParser, type IOrAlt, type IParserConfig, type IToken, type ParserMethod } from "chevrotain";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { createSourceText, makeSpan, type SourceText, type Span } from "../../text/index.ts";
import type { Keyword } from "../vocabulary.ts";
import { errorMessages } from "./expectations.ts";
import { getKeywordType, TYPES } from "./token-types.ts";

// Defines the lowest layer of the grammar: the state of parsing, and the methods with which the layers above define
// rules. Each layer adds one kind of declaration. The tree is built while parsing; if a rule fails, it gives one
// message, and its node is missing.

export type Rule<T> = ParserMethod<[], T>;

export class ReadingGrammar extends EmbeddedActionsParser {
  protected source: SourceText = createSourceText("", "");
  protected found: Diagnostic[] = [];
  protected docs: ReadonlyMap<number, string> = new Map();
  protected usedDocs = new Set<number>();
  protected lost = new Set<string>();

  constructor(config: IParserConfig) {
    super([...TYPES], { maxLookahead: 2, errorMessageProvider: errorMessages, ...config });
  }

  /** Declares a rule; the types ensure that its body returns a T. */
  protected declareRule<T>(name: string, body: () => T): Rule<T> {
    return this.RULE(name, body);
  }

  /** Consumes a keyword and returns its text. */
  protected takeKeyword<W extends Keyword>(text: W): W {
    this.CONSUME(getKeywordType(text));
    return text;
  }

  /**
   * Parses one of several alternatives of one type. Chevrotain requires a number for each further use of `OR` in a
   * rule, so a rule may call this method only once.
   */
  protected parseOneOf<T>(alternatives: readonly IOrAlt<T>[]): T {
    return this.OR([...alternatives]);
  }

  protected start(): number {
    return this.LA(1).startOffset;
  }

  /** Returns the span from an offset to the end of the last consumed token. */
  protected closeSpan(start: number): Span {
    return this.ACTION(() => {
      const last = this.LA(0);
      return makeSpan(this.source, start, Math.max(start, last.startOffset + last.image.length));
    });
  }

  /** Returns the text of the `///` lines before the element at an offset, and marks them as used. */
  protected takeDocAt(start: number): string {
    const doc = this.docs.get(start);
    if (doc === undefined) return "";
    this.usedDocs.add(start);
    return doc;
  }

  protected getTokenSpan(token: IToken): Span {
    return makeSpan(this.source, token.startOffset, token.startOffset + token.image.length);
  }

  /** Returns the span of a keyword, for messages that underline the keyword itself. */
  protected getKeywordSpan(token: IToken): Span {
    return this.getTokenSpan(token);
  }
}
