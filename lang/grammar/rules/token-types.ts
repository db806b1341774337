import { createToken, type IToken, Lexer, type TokenType } from "chevrotain";
import { bug } from "../../diagnostics/index.ts";
import type { ScanResult } from "../scanner.ts";
import { CONTEXTUAL, type Keyword, KINDS, type Kind } from "../vocabulary.ts";

// Defines the token types for Chevrotain. The scanner finds the tokens; this module only assigns them their types.

/** Category of all tokens that may be a name: names, names with letters outside of ASCII, and keywords that are not reserved. */
export const Identifier = createToken({ name: "Name", label: "a name", pattern: Lexer.NA });

export const StringLiteral = createToken({ name: "String", label: "a text in quotes", pattern: Lexer.NA });

export const NumberLiteral = createToken({ name: "Number", label: "a number", pattern: Lexer.NA });

const contextual: ReadonlySet<string> = new Set(CONTEXTUAL);

function typeOf(kind: Kind): TokenType {
  switch (kind) {
    case "Name":
      return Identifier;
    case "String":
      return StringLiteral;
    case "Number":
      return NumberLiteral;
    case "StrangeName":
      return createToken({ name: kind, pattern: Lexer.NA, categories: [Identifier] });
    case "UnclosedString":
      return createToken({ name: kind, pattern: Lexer.NA, categories: [StringLiteral] });
    default:
      return createToken({
        name: `'${kind}'`,
        label: `\`${kind}\``,
        pattern: Lexer.NA,
        categories: contextual.has(kind) ? [Identifier] : [],
      });
  }
}

/** Token types, in the order of the codes of their kinds. */
export const TYPES: readonly TokenType[] = KINDS.filter((kind) => kind !== "End").map(typeOf);

const byKind = new Map(KINDS.map((kind, code) => [kind, TYPES[code]]));

function getTokenType(kind: Kind): TokenType {
  return byKind.get(kind) ?? bug(`no token type for ${kind}`);
}

const kinds = new Map([...byKind].flatMap(([kind, type]) => (type === undefined ? [] : [[type, kind] as const])));

/** Returns the kind of a token type of `TYPES`. */
export function getTokenKind(type: TokenType): Kind {
  return kinds.get(type) ?? bug(`no kind of token ${type.name}`);
}

/** Returns the token type of a keyword. */
export function getKeywordType(text: Keyword): TokenType {
  return getTokenType(text);
}

export const UnclosedString = getTokenType("UnclosedString");
export const OpenBrace = getTokenType("{");
export const CloseBrace = getTokenType("}");
export const OpenBracket = getTokenType("[");
export const CloseBracket = getTokenType("]");
export const OpenParen = getTokenType("(");
export const CloseParen = getTokenType(")");
export const Comma = getTokenType(",");
export const Colon = getTokenType(":");
export const Slash = getTokenType("/");
export const Star = getTokenType("*");
export const Range = getTokenType("..");
export const Dot = getTokenType(".");
export const Equal = getTokenType("==");
export const Assign = getTokenType("=");
export const NotEqual = getTokenType("!=");
export const LessOrEqual = getTokenType("<=");
export const GreaterOrEqual = getTokenType(">=");
export const Less = getTokenType("<");
export const Greater = getTokenType(">");

/** Returns the tokens of a source in the form of Chevrotain's parser, from index `from` to before index `to`. */
export function convertTokens({ source, tokens }: ScanResult, from = 0, to = tokens.count): IToken[] {
  return Array.from({ length: to - from }, (_, at): IToken => {
    const index = from + at;
    const startOffset = tokens.start(index);
    const tokenType = getTokenType(tokens.getKind(index));
    const image = source.text.slice(startOffset, tokens.end(index));
    return { image, startOffset, tokenType, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0 };
  });
}
