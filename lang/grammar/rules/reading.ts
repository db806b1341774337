import { EmbeddedActionsParser, type IOrAlt, type IParserConfig, type IToken, type ParserMethod } from "chevrotain";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { createSourceText, makeSpan, type SourceText, type Span } from "../../text/index.ts";
import type { Keyword } from "../vocabulary.ts";
import { errorMessages } from "./expectations.ts";
import { getKeywordType, TYPES } from "./token-types.ts";

// The lowest layer of the grammar: the state of the parser, and the methods with which higher layers write rules. Each
// higher layer adds one kind of declaration. The tree is built while parsing. A rule that fails gives one finding, and
// its part is missing in the tree.

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

  /** Declares a rule whose body must return the type of the rule. */
  protected declareRule<T>(name: string, body: () => T): Rule<T> {
    return this.RULE(name, body);
  }

  /** Takes a keyword and returns its text. */
  protected takeKeyword<W extends Keyword>(text: W): W {
    this.CONSUME(getKeywordType(text));
    return text;
  }

  /** Parses one of several alternatives of the same type. A rule may call it at most once. */
  protected parseOneOf<T>(alternatives: readonly IOrAlt<T>[]): T {
    return this.OR([...alternatives]);
  }

  protected start(): number {
    return this.LA(1).startOffset;
  }

  /** Returns the span from an offset to the end of the last token taken. */
  protected closeSpan(start: number): Span {
    return this.ACTION(() => {
      const last = this.LA(0);
      return makeSpan(this.source, start, Math.max(start, last.startOffset + last.image.length));
    });
  }

  /** Returns the text of the `///` lines before the element that starts at an offset. They are returned only once. */
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
