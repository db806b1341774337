import { EOF, type IToken, type TokenType } from "chevrotain";
import { bug, type Diagnostic } from "../../diagnostics/index.ts";
import { countWhile, makeSpan } from "../../text/index.ts";
import { tooManySyntaxErrors } from "../codes.ts";
import { MODES } from "../vocabulary.ts";
import { createSyntaxDiagnostic, isSyntaxError, listExpected, type SyntaxException } from "./expectations.ts";
import { computeFirsts } from "./firsts.ts";
import { type Level, NAMED, OUTER, type Place } from "./levels.ts";
import { ReadingGrammar, type Rule } from "./reading.ts";
import { CloseBrace, Identifier, OpenBrace, StringLiteral, UnclosedString } from "./token-types.ts";

// Parses blocks with recovery: an element that cannot be parsed gives one message and is left out.

/** Maximum number of syntax errors in one file. Further parsing would only add messages without use. */
export const MAX_SYNTAX_ERRORS = 1000;

/** Elements of a block, and whether a syntax error was found between its braces. */
interface Block<T> {
  readonly elements: readonly T[];
  readonly damaged: boolean;
}

const MODE_WORDS: ReadonlySet<string> = new Set(MODES);

class SyntaxLimit extends Error {}

/** Data for the recovery from a failed step: the place where parsing continues, or the brace that was not closed. */
interface Recovery {
  readonly place?: Place;
  readonly opener?: IToken;
}

export class BlockGrammar extends ReadingGrammar {
  /**
   * For each unclosed text, a list of its words and signs that may be missing tokens. A word that explains a syntax error is removed
   * from the list.
   */
  private readonly swallowed = new WeakMap<IToken, string[]>();
  /** Unclosed texts of the page, in order. */
  protected unclosed: readonly IToken[] = [];
  private readonly firsts = new Map<string, ReadonlySet<TokenType>>();

  /**
   * Parses `{ element … }`. An element that cannot be parsed is reported and left out, and parsing continues with the
   * next one. Chevrotain distinguishes the uses of a token or of MANY in one rule by an index, and this method uses
   * index 0. So a rule may call this method only once, and may not contain other braces or a MANY of index 0.
   */
  protected block<T>(element: Rule<T>, level: Level = "attribute"): Block<T> {
    if (this.RECORDING_PHASE || !this.canBeginElement(this.LA(1), { element, level })) this.CONSUME(OpenBrace);
    else this.runWithRecovery(() => this.CONSUME(OpenBrace));
    const opener = this.RECORDING_PHASE ? undefined : this.LA(0);
    const before = this.found.length;
    const elements: T[] = [];
    if (this.RECORDING_PHASE) this.MANY(() => elements.push(this.SUBRULE(element)));
    else this.parseElements({ element, level }, () => elements.push(this.SUBRULE(element)));
    const swallowed = this.isBraceSwallowed();
    if (!swallowed || this.LA(1).tokenType === CloseBrace)
      this.runWithRecovery(() => this.CONSUME(CloseBrace), findMissing(opener));
    return { elements, damaged: swallowed || this.found.length > before };
  }

  /**
   * Returns whether the last token is an unclosed text that contains the closing brace. In this case only the unclosed text is reported.
   */
  private isBraceSwallowed(): boolean {
    if (this.RECORDING_PHASE) return false;
    const { tokenType, image } = this.LA(0);
    return tokenType === UnclosedString && image.includes("}");
  }

  /**
   * Calls `read` for each element up to the end of the block. After a syntax error, parsing continues at the next
   * element of `place`.
   */
  protected parseElements(place: Place, read: () => void): void {
    while (!this.isAtBlockEnd(place)) this.runWithRecovery(read, { place });
  }

  /**
   * Runs one step of the parser. A syntax error becomes a finding, and tokens are skipped up to the next element of
   * `place`.
   */
  protected runWithRecovery(step: () => void, { place, opener }: Recovery = {}): void {
    const start = this.LA(1);
    try {
      step();
    } catch (error) {
      if (!isSyntaxError(error) || this.RECORDING_PHASE) throw error;
      if (!this.isSwallowed(error)) this.find(createSyntaxDiagnostic(this.source, error, opener));
      if (place !== undefined) this.skipDamage(start, place);
    }
  }

  /** Returns whether the missing token is probably inside the unclosed text before the error. This unclosed text already has a message. */
  private isSwallowed(error: SyntaxException): boolean {
    const at = this.getNextOffset();
    const count = countWhile(this.unclosed.length, (index) => (this.unclosed[index]?.startOffset ?? 0) < at);
    const text = this.unclosed[count - 1];
    if (text === undefined) return false;
    const left = this.swallowed.get(text) ?? listTokenTexts(text.image);
    this.swallowed.set(text, left);
    const missing = listExpected(error);
    const taken = left.findIndex((one) => missing.includes(`\`${one}\``));
    if (taken === -1) return false;
    left.splice(taken, 1);
    return true;
  }

  /**
   * Adds a finding, unless it is equal to the last one. If several blocks lack their closing brace at one offset, they give equal
   * findings.
   */
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
    return tooManySyntaxErrors.at(makeSpan(this.source, this.getNextOffset(), this.getNextOffset()), {
      limit: MAX_SYNTAX_ERRORS,
    });
  }

  /** Returns the offset of the next token, or of the end of the page. */
  private getNextOffset(): number {
    const { startOffset } = this.LA(1);
    return Number.isNaN(startOffset) ? this.source.text.length : startOffset;
  }

  /**
   * Skips tokens up to the beginning of the next element or the end of the block; blocks inside are skipped as a whole.
   * The function always skips `start`, unless `start` is the brace that closes the block.
   */
  private skipDamage(start: IToken, place: Place): void {
    let depth = this.countOpenedSince(start);
    while (this.LA(1).tokenType !== EOF) {
      const token = this.LA(1);
      if (depth === 0 && token !== start && (this.mayBegin(token, place) || this.isAtBlockEnd(place))) return;
      if (token.tokenType === CloseBrace) {
        if (depth === 0) return;
        depth--;
      }
      if (token.tokenType === OpenBrace) depth++;
      if (isName(token)) this.lost.add(token.image);
      this.SKIP_TOKEN();
      // After a skipped block the next element may follow on the same line.
      if (depth === 0 && token.tokenType === CloseBrace && this.canBeginElement(this.LA(1), place)) return;
    }
  }

  /**
   * Returns how many braces the damaged element has opened and not closed. The braces that close them must not end the
   * block. Adds the names in the element to `lost`, so that later checks do not report them as unknown.
   */
  private countOpenedSince(start: IToken): number {
    const { startOffset: end } = this.LA(1);
    let depth = 0;
    for (let index = this.indexOf(start); index < this.input.length; index++) {
      const token = this.input[index];
      if (token === undefined || token.startOffset >= end) break;
      if (isName(token)) this.lost.add(token.image);
      if (token.tokenType === OpenBrace) depth++;
      if (token.tokenType === CloseBrace) depth = Math.max(0, depth - 1);
    }
    return depth;
  }

  /** Returns the index of a token by binary search, because a linear search for each of a thousand errors would take too long. */
  private indexOf(token: IToken): number {
    return countWhile(this.input.length, (index) => (this.input[index]?.startOffset ?? 0) < token.startOffset);
  }

  /**
   * Returns whether an element may begin at a token. A word that can also be a name begins an element only at the beginning of a
   * line. Within a line, a mode begins an element only if a pattern follows. The mode after `else` begins no element, and no
   * pattern follows it.
   */
  private mayBegin(token: IToken, place: Place): boolean {
    if (!this.canBeginElement(token, place)) return false;
    if (this.isFirstOfLine(token)) return true;
    if (MODE_WORDS.has(token.image)) return isName(this.LA(2)) || this.LA(2).image === "*";
    return !isName(token);
  }

  private canBeginElement({ tokenType }: IToken, { element }: Place): boolean {
    const firsts = this.getFirsts(element);
    return firsts.has(tokenType) || (tokenType.CATEGORIES?.some((type) => firsts.has(type)) ?? false);
  }

  private getFirsts(element: Rule<unknown> & { ruleName?: string }): ReadonlySet<TokenType> {
    const name = element.ruleName ?? bug("a rule without a name");
    const before = this.firsts.get(name);
    if (before !== undefined) return before;
    const firsts = computeFirsts(this.getGAstProductions()[name] ?? bug(`no rule ${name}`));
    this.firsts.set(name, firsts);
    return firsts;
  }

  /** Returns whether the block ends here: at its brace, at the end of the page, or before a line of an outer block. */
  private isAtBlockEnd(place: Place): boolean {
    const token = this.LA(1);
    if (token.tokenType === CloseBrace || token.tokenType === EOF) return true;
    if (!OUTER[place.level].has(token.image) || !this.isFirstOfLine(token)) return false;
    // A line that begins with the word of an outer declaration ends this block. But a word of `NAMED` needs a name
    // after it. Before a brace or a text it does not end the block: `model {` in a session is probably a misspelt
    // `models {`, and `redact "card"` is a fact of a method.
    const next = this.LA(2).tokenType;
    if (NAMED.has(token.image) && (next === OpenBrace || next === StringLiteral)) return false;
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
}

function isName(token: IToken): boolean {
  const type: TokenType = token.tokenType;
  return type === Identifier || (type.CATEGORIES?.includes(Identifier) ?? false);
}

function findMissing(opener: IToken | undefined): Recovery {
  return opener?.tokenType === OpenBrace ? { opener } : {};
}

/** Maximum number of characters of an unclosed text that are searched for missing tokens. */
const MAX_SWALLOWED = 400;

/** Returns the words and signs of an unclosed text, which were probably meant as tokens. */
function listTokenTexts(image: string): string[] {
  return image.slice(0, MAX_SWALLOWED).match(/\w+|[^\w\s]/g) ?? [];
}
