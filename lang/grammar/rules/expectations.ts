import { EOF, type IParserErrorMessageProvider, type IToken, type TokenType } from "chevrotain";
import { type Diagnostic, findNearest } from "../../diagnostics/index.ts";
import { makeSpan, type SourceText } from "../../text/index.ts";
import { unexpected } from "../codes.ts";
import { CONTEXTUAL, RESERVED } from "../vocabulary.ts";

// The tokens that Chevrotain expected travel from its message provider to the diagnostic as the message of its exception.

/** Words among which a fix is only a guess, because the failed rule does not know all tokens that were possible there. */
const KEYWORDS = [...RESERVED, ...CONTEXTUAL];

const SEPARATOR = "\u0000";

function formatExpected(expected: Iterable<TokenType>): string {
  return [...new Set([...expected].map((token) => token.LABEL ?? token.name))].join(SEPARATOR);
}

/** Returns the first tokens of all alternatives. */
function collectFirsts(paths: readonly (readonly TokenType[])[]): TokenType[] {
  return paths.flatMap((path) => path.slice(0, 1));
}

export const errorMessages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => formatExpected([expected]),
  buildNotAllInputParsedMessage: () => "the end of the file",
  buildNoViableAltMessage: ({ expectedPathsPerAlt }) => formatExpected(collectFirsts(expectedPathsPerAlt.flat())),
  buildEarlyExitMessage: ({ expectedIterationPaths }) => formatExpected(collectFirsts(expectedIterationPaths)),
};

interface SyntaxException extends Error {
  readonly token: IToken;
  readonly previousToken?: IToken;
}

export function isSyntaxError(error: unknown): error is SyntaxException {
  return error instanceof Error && "token" in error && "context" in error;
}

export function createSyntaxDiagnostic(source: SourceText, error: SyntaxException): Diagnostic {
  const { token, previousToken } = error;
  const atEnd = token.tokenType === EOF;
  // Chevrotain's end-of-file token has no offset: point behind the last thing written.
  const behind = previousToken === undefined ? 0 : previousToken.startOffset + previousToken.image.length;
  const start = atEnd ? (Number.isNaN(behind) ? source.text.trimEnd().length : behind) : token.startOffset;
  const at = makeSpan(source, start, atEnd ? start : start + token.image.length);
  const expected = error.message.split(SEPARATOR);
  // Punctuation is never proposed for a word, nor a word for punctuation.
  const words = expected.filter((label) => /^`\w+`$/.test(label)).map((label) => label.slice(1, -1));
  const near = !atEnd && /^\w/.test(token.image) ? findNearest(token.image, words) : undefined;
  const found = atEnd ? "the end of the file" : `\`${token.image.slice(0, 40)}\``;
  return unexpected.at(
    at,
    { expected, found, near },
    near === undefined ? {} : { fix: { span: at, replacement: near, guess: KEYWORDS } },
  );
}
