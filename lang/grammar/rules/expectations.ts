import { EOF, type IParserErrorMessageProvider, type IToken, type TokenType } from "chevrotain";
import { type Diagnostic, findNearest } from "../../diagnostics/index.ts";
import { makeSpan, type SourceText, type Span } from "../../text/index.ts";
import { unexpected } from "../codes.ts";
import { CONTEXTUAL, RESERVED } from "../vocabulary.ts";

// Chevrotain reports the expected tokens only to its message provider. The provider writes them into the message of the exception, from
// which the diagnostic reads them.

/**
 * All keywords. A fix for a wrong word is a guess among all keywords, because the failed rule does not know which
 * tokens are possible.
 */
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

export interface SyntaxException extends Error {
  readonly token: IToken;
  readonly previousToken?: IToken;
}

export function isSyntaxError(error: unknown): error is SyntaxException {
  return error instanceof Error && "token" in error && "context" in error;
}

/** Names that other tools give to modes, each with the mode in capc's language. */
const OTHER_MODES: ReadonlyMap<string, string> = new Map([
  ["allow", "auto"],
  ["ask", "consent"],
  ["block", "forbidden"],
  ["confirm", "consent"],
  ["deny", "forbidden"],
  ["sign", "stepUp"],
]);

/** Returns the finding of a syntax error. If the mistake is an unclosed brace, `opener` is this brace. */
export function createSyntaxDiagnostic(source: SourceText, error: SyntaxException, opener?: IToken): Diagnostic {
  const expected = listExpected(error);
  const assigned = findAssignment(source, error, expected);
  if (assigned !== undefined) {
    const facts = { expected: ["`==`"], found: "`=`", near: "==", hint: undefined };
    return unexpected.at(assigned, facts, { fix: { span: assigned, replacement: "==", guess: KEYWORDS } });
  }
  const negated = findNegation(source, error, expected);
  if (negated !== undefined) {
    const found = `\`${source.text.slice(negated.start, negated.end)}\``;
    const facts = { expected: ["`not has(…)`"], found, near: undefined, hint: NEGATION_HINT };
    return unexpected.at(makeSpan(source, negated.start, negated.end), facts);
  }
  const { token } = error;
  const isAtEnd = token.tokenType === EOF;
  const at = isAtEnd ? findEnd(source, error) : getTokenSpan(source, token);
  const near = isAtEnd ? undefined : findIntended(token, expected);
  const found = isAtEnd ? "the end of the file" : `\`${token.image.slice(0, 40)}\``;
  const hint = opener === undefined ? findHint(error, expected) : describeOpener(source, opener);
  return unexpected.at(
    at,
    { expected, found, near, hint },
    near === undefined ? {} : { fix: { span: at, replacement: near, guess: KEYWORDS } },
  );
}

/** Returns the names of the tokens that could have followed, as Chevrotain's message lists them. */
export function listExpected({ message }: SyntaxException): readonly string[] {
  return message.split(SEPARATOR);
}

function getTokenSpan(source: SourceText, { startOffset, image }: IToken): Span {
  return makeSpan(source, startOffset, startOffset + image.length);
}

/** Returns the position after the last token, because Chevrotain's token for the end of the file has no offset. */
function findEnd(source: SourceText, { previousToken }: SyntaxException): Span {
  const behind = previousToken === undefined ? 0 : previousToken.startOffset + previousToken.image.length;
  const start = Number.isNaN(behind) ? source.text.trimEnd().length : behind;
  return makeSpan(source, start, start);
}

/**
 * Returns the span of `=` if a condition has `=` in place of `==`, as in `path = "/a"`. Chevrotain reports only that no condition
 * begins with `path`.
 */
function findAssignment(source: SourceText, { token }: SyntaxException, expected: readonly string[]): Span | undefined {
  if (token.tokenType === EOF || !expected.includes("`not`")) return undefined;
  const behind = token.startOffset + token.image.length;
  const [blank] = /^[ \t]*(?==(?!=))/.exec(source.text.slice(behind, behind + 80)) ?? [];
  return blank === undefined ? undefined : makeSpan(source, behind + blank.length, behind + blank.length + 1);
}

const NEGATION_HINT =
  '`not` stands only before `has(…)`; write `!=`, or swap the two modes: `consent a.b where path under "/x" else auto`';

/**
 * Finds a `not` at the error that negates another check than `has(…)`, which the language does not allow. Returns the
 * range of this `not` and of the text beside it, or `undefined` if there is none. Examples are `not path under "/a"`,
 * `path not under "/a"` and `not (path under "/a")`.
 */
function findNegation({ text }: SourceText, { token }: SyntaxException, expected: readonly string[]) {
  const { startOffset, image } = token;
  const isInParentheses = expected.includes("`)`");
  if (token.tokenType === EOF || !(expected.includes("`not`") || isInParentheses)) return undefined;
  const [before = ""] =
    (isInParentheses && /\bnot[ \t]*\([\w. \t]*$/.exec(text.slice(Math.max(0, startOffset - 80), startOffset))) || [];
  const [after = ""] =
    (!isInParentheses &&
      /^(?:not(?:[ \t]+\w{1,40}|\b)|\w{1,40}[ \t]+not\b)/.exec(text.slice(startOffset, startOffset + 100))) ||
    [];
  if (before === "" && after === "") return undefined;
  return { start: startOffset - before.length, end: startOffset + (before === "" ? after.length : image.length) };
}

/** Returns the word that was probably meant, or `undefined` if none is likely. Signs are neither corrected nor proposed. */
function findIntended({ image }: IToken, expected: readonly string[]): string | undefined {
  const words = expected.filter((label) => /^`\w+`$/.test(label)).map((label) => label.slice(1, -1));
  const mode = OTHER_MODES.get(image);
  if (mode !== undefined && words.includes(mode)) return mode;
  return /^\w/.test(image) ? findNearest(image, words) : undefined;
}

/** Returns how to correct the error, if only one missing token is possible and there is a hint about this token. */
function findHint({ token, previousToken }: SyntaxException, expected: readonly string[]): string | undefined {
  const [only, ...others] = expected;
  if (others.length > 0) return undefined;
  if (only === "`else`" && token.image === ",")
    return "one text stands here; a second line of the same pattern allows another";
  if (only === "`absent`")
    return "only `absent` stands behind `or`; a second line of the same pattern allows another value";
  if (only === "`else`") return "say which mode applies where the condition fails: `else forbidden`";
  if (only === "`because`") return 'say why: `because "…"`';
  if (previousToken?.image === "token" && token.image.startsWith('"'))
    return "a page holds no credential: write `token vault.NAME`, and seal it with `capc secret seal NAME`";
  if (token.image === "per") return "a number is followed by what it counts: `5 s per call`, `5 calls per turn`";
  return undefined;
}

function describeOpener(source: SourceText, { startOffset }: IToken): string {
  const { line, column } = source.position(startOffset);
  return `the \`{\` at ${line}:${column} is not closed`;
}
