import { EmbeddedActionsParser, type IOrAlt, type IParserConfig, type IToken, type ParserMethod } from "chevrotain";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { createSourceText, makeSpan, type SourceText, type Span } from "../../text/index.ts";
import type { Keyword } from "../vocabulary.ts";
import { errorMessages } from "./expectations.ts";
import { getKeywordType, TYPES } from "./token-types.ts";

// The lowest layer of the grammar: what is being read, and how the layers above write rules. Each of them adds one kind
// of declaration. The tree is built while parsing; a rule that fails reports once and leaves a gap.

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

  /** A rule whose body is held to the type of what it gives. */
  protected declareRule<T>(name: string, body: () => T): Rule<T> {
    return this.RULE(name, body);
  }

  /** Takes a keyword and gives its text. */
  protected takeKeyword<W extends Keyword>(text: W): W {
    this.CONSUME(getKeywordType(text));
    return text;
  }

  /** One of several alternatives of one type. At most one in a rule. */
  protected parseOneOf<T>(alternatives: readonly IOrAlt<T>[]): T {
    return this.OR([...alternatives]);
  }

  protected start(): number {
    return this.LA(1).startOffset;
  }

  /** From an offset to the end of the last token taken. */
  protected closeSpan(start: number): Span {
    return this.ACTION(() => {
      const last = this.LA(0);
      return makeSpan(this.source, start, Math.max(start, last.startOffset + last.image.length));
    });
  }

  /** Text of the `///` lines before the element that starts at an offset; taken once. */
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
