import { type IToken, type Rule, tokenMatcher } from "chevrotain";
import { bug } from "../../diagnostics/index.ts";
import type { ScanResult } from "../scanner.ts";
import type { Kind } from "../vocabulary.ts";
import { followOf, type NextToken } from "./follow.ts";
import { FileGrammar } from "./items.ts";
import { CloseBrace, convertTokens, getTokenKind, OpenBrace } from "./token-types.ts";

// Finds the tokens that are allowed at an offset, for completion in editors. Only a few tokens are parsed: the words before the
// opening brace of each block around the offset, and the element at the offset. So a long page costs no more than a short one,
// and errors in other parts of the page do not change the result.

/** Kind of a token that may follow. */
export interface ExpectedToken {
  readonly kind: Kind;
  /**
   * Rules that would parse the token, outermost first. If a rule uses another rule several times, its further uses are `name 1`,
   * `name 2` and so on.
   */
  readonly rules: readonly string[];
  /**
   * For each of these rules, the offset at which the rule begins. If a rule begins with this token, its offset is the offset with
   * which `findExpectedBehind` was called.
   */
  readonly begins: readonly number[];
}

/** The beginning of an element is searched for among this many tokens before a brace or before the offset. */
const LONGEST_HEAD = 64;

let file: Rule | undefined;

function getFileRule(): Rule {
  file ??= new FileGrammar({ skipValidations: true }).getGAstProductions()["file"] ?? bug("no rule of a file");
  return file;
}

/** Returns the tokens that the grammar accepts after the tokens up to an offset. */
export function findExpectedBehind(scanned: ScanResult, offset: number): readonly ExpectedToken[] {
  const count = countUpTo(scanned, offset);
  const sliceLast = (from: number, to: number): IToken[] =>
    convertTokens(scanned, Math.max(from, to - LONGEST_HEAD), to);
  let before: readonly IToken[] = [];
  let from = 0;
  for (const brace of openBraces(scanned, count)) {
    const head = findElement(scanned, before, sliceLast(from, brace), isBlock);
    // If the tokens before the brace are not the head of an element with a block, the brace does not open a block.
    if (head !== undefined) before = [...before, ...head, ...convertTokens(scanned, brace, brace + 1)];
    from = brace + 1;
  }
  const current = findElement(scanned, before, sliceLast(from, count), (next) => next.length > 0) ?? [];
  const read = [...before, ...current];
  return collectExpectations(followOf(getFileRule(), read), (index) => read[index]?.startOffset ?? offset);
}

const isBlock = (next: readonly NextToken[]): boolean => next.some(({ type }) => type === OpenBrace);

/**
 * Returns the tokens from the start of an element to the end of `tokens`. An element must be able to begin there after
 * the tokens `before`. After its tokens, `isWished` must return true for the tokens that may come next. Of several
 * possible starts the function takes the most likely. Returns `undefined` if there is no possible start.
 */
function findElement(
  scanned: ScanResult,
  before: readonly IToken[],
  tokens: readonly IToken[],
  isWished: (next: readonly NextToken[]) => boolean,
): readonly IToken[] | undefined {
  const firsts = [...new Set(followOf(getFileRule(), before).map(({ type }) => type))];
  const mayBegin = (token: IToken): boolean => firsts.some((type) => tokenMatcher(token, type));
  for (const start of findStarts(scanned, tokens)) {
    const candidate = tokens.slice(start);
    const [first] = candidate;
    if (first === undefined || !mayBegin(first)) continue;
    if (isWished(followOf(getFileRule(), [...before, ...candidate]))) return candidate;
  }
  return undefined;
}

/**
 * Returns the indexes at which an element may begin, the most likely first. Indexes at the beginning of a line come first, because
 * a word within a line is more often a name than the start of an element. Tokens between braces are skipped, because they are
 * inside of an element.
 */
function findStarts({ source: { text } }: ScanResult, tokens: readonly IToken[]): readonly number[] {
  const outside: number[] = [];
  let depth = 0;
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const type = tokens[index]?.tokenType;
    if (type === CloseBrace) depth += 1;
    else if (type === OpenBrace) depth -= 1;
    else if (depth === 0) outside.push(index);
  }
  const isFirstOfLine = (index: number): boolean => {
    const gap = text.slice(endOf(tokens[index - 1]), tokens[index]?.startOffset);
    return index === 0 || gap.includes("\n") || gap.includes("\r");
  };
  return [...outside.filter(isFirstOfLine), ...outside.filter((index) => !isFirstOfLine(index))];
}

function endOf(token: IToken | undefined): number {
  return token === undefined ? 0 : token.startOffset + token.image.length;
}

/**
 * Returns the expected tokens without duplicates. For example, `next` has a token twice if it may continue an element
 * and may also begin the next one.
 */
function collectExpectations(next: readonly NextToken[], offsetOf: (index: number) => number): ExpectedToken[] {
  const said = new Map(
    next.map(({ type, rules, begins }) => [
      `${type.name} ${rules.join(" ")}`,
      { kind: getTokenKind(type), rules, begins: begins.map(offsetOf) },
    ]),
  );
  return [...said.values()];
}

/** Returns the indexes of the braces that are open after `count` tokens. */
function openBraces({ tokens }: ScanResult, count: number): number[] {
  const open: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const kind = tokens.getKind(index);
    if (kind === "{") open.push(index);
    if (kind === "}") open.pop();
  }
  return open;
}

/** Returns how many tokens end at an offset or before it. */
function countUpTo({ tokens }: ScanResult, offset: number): number {
  let count = 0;
  while (count < tokens.count && tokens.end(count) <= offset) count += 1;
  return count;
}
