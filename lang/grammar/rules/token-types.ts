import { createToken, type IToken, Lexer, type TokenType } from "chevrotain";
import { bug } from "../../diagnostics/index.ts";
import type { Scanned } from "../scanner.ts";
import { CONTEXTUAL, type Keyword, KINDS, type Kind } from "../vocabulary.ts";

// The kinds of tokens as Chevrotain knows them. It cuts none: the scanner does, and its tokens are given their types here.

/** Every name: a plain one, a strange one, or a keyword that is not reserved. */
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

/** In the order of the kinds' codes. */
export const TYPES: readonly TokenType[] = KINDS.filter((kind) => kind !== "End").map(typeOf);

const byKind = new Map(KINDS.map((kind, code) => [kind, TYPES[code]]));

function typed(kind: Kind): TokenType {
  return byKind.get(kind) ?? bug(`no token type for ${kind}`);
}

const kinds = new Map([...byKind].flatMap(([kind, type]) => (type === undefined ? [] : [[type, kind] as const])));

/** The kind of a type that `TYPES` has. */
export function kindOf(type: TokenType): Kind {
  return kinds.get(type) ?? bug(`no kind of token ${type.name}`);
}

/** The token of a keyword. */
export function word(text: Keyword): TokenType {
  return typed(text);
}

export const UnclosedString = typed("UnclosedString");
export const OpenBrace = typed("{");
export const CloseBrace = typed("}");
export const OpenBracket = typed("[");
export const CloseBracket = typed("]");
export const OpenParen = typed("(");
export const CloseParen = typed(")");
export const Comma = typed(",");
export const Colon = typed(":");
export const Slash = typed("/");
export const Star = typed("*");
export const Range = typed("..");
export const Dot = typed(".");
export const Equal = typed("==");
export const NotEqual = typed("!=");
export const LessOrEqual = typed("<=");
export const GreaterOrEqual = typed(">=");
export const Less = typed("<");
export const Greater = typed(">");

/** The tokens of a source as Chevrotain's parser reads them, or those from one to before another. */
export function typedTokens({ source, tokens }: Scanned, from = 0, to = tokens.count): IToken[] {
  return Array.from({ length: to - from }, (_, at): IToken => {
    const index = from + at;
    const startOffset = tokens.start(index);
    const tokenType = typed(tokens.kind(index));
    const image = source.text.slice(startOffset, tokens.end(index));
    return { image, startOffset, tokenType, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0 };
  });
}
