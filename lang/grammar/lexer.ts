import { type IToken, Lexer } from "chevrotain";
import type { Diagnostic } from "../diagnostics/index.ts";
import { type SourceText, type Span, span } from "../text/index.ts";
import { nestedTooDeep, numberTooLong, unclosedText, unknownCharacter } from "./codes.ts";
import {
  CloseBrace,
  CloseBracket,
  CloseParen,
  COMMENTS,
  DOCS,
  NumberLiteral,
  OpenBrace,
  OpenBracket,
  OpenParen,
  StrangeName,
  TOKENS,
  UnclosedString,
} from "./tokens.ts";

export const MAX_NESTING = 64;
export const MAX_DIGITS = 30;

export interface Lexed {
  readonly tokens: readonly IToken[];
  /** `///` lines, in order. */
  readonly docs: readonly IToken[];
  /** `//` lines, in order: kept for the formatter. */
  readonly comments: readonly IToken[];
  readonly diagnostics: readonly Diagnostic[];
  /** False where nesting is so deep that the parser must not start. */
  readonly parsable: boolean;
}

let lexer: Lexer | undefined;

/** Cuts a source into tokens. Never throws; whatever has no meaning is reported and left out. */
export function lex(source: SourceText): Lexed {
  lexer ??= new Lexer([...TOKENS], {
    positionTracking: "onlyOffset",
    ensureOptimizations: true,
    skipValidations: true,
  });
  const result = lexer.tokenize(source.text);
  const diagnostics: Diagnostic[] = result.errors.map((error) => {
    const at = span(source, error.offset, error.offset + error.length);
    return unknownCharacter.at(at, { text: source.text.slice(at.start, Math.min(at.end, at.start + 20)) });
  });
  for (const token of result.tokens) {
    const at = spanOf(source, token);
    if (token.tokenType === StrangeName) diagnostics.push(strangeLetters(at, token.image));
    if (token.tokenType === UnclosedString) diagnostics.push(unclosedText.at(at, {}));
    if (token.tokenType === NumberLiteral && token.image.length > MAX_DIGITS) {
      diagnostics.push(numberTooLong.at(at, { limit: MAX_DIGITS }));
    }
  }
  const tooDeep = firstTooDeep(result.tokens);
  if (tooDeep !== undefined) diagnostics.push(nestedTooDeep.at(spanOf(source, tooDeep), { limit: MAX_NESTING }));
  const { [DOCS]: docs = [], [COMMENTS]: comments = [] } = result.groups;
  return { tokens: result.tokens, docs, comments, diagnostics, parsable: tooDeep === undefined };
}

function strangeLetters(at: Span, name: string): Diagnostic {
  const [letters = ""] = /[\u0080-\uffff]+/.exec(name) ?? [];
  const start = at.start + name.indexOf(letters);
  return unknownCharacter.at(span(at.source, start, start + letters.length), { text: letters.slice(0, 20) });
}

export function spanOf(source: SourceText, token: IToken): Span {
  return span(source, token.startOffset, token.startOffset + token.image.length);
}

const OPENING = new Set([OpenBrace, OpenBracket, OpenParen]);
const CLOSING = new Set([CloseBrace, CloseBracket, CloseParen]);

function firstTooDeep(tokens: readonly IToken[]): IToken | undefined {
  let depth = 0;
  for (const token of tokens) {
    if (OPENING.has(token.tokenType)) depth++;
    else if (CLOSING.has(token.tokenType)) depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) return token;
  }
  return undefined;
}
