// Returns grammars of whole numbers between two others, digit by digit.

import { type Expression, makeCharacters, makeChoice, makeRepeated, makeSequence, makeWords } from "./expression.ts";

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns a grammar of the integers in a range, as JSON writes them, without leading zeros. Returns `undefined` for an empty range.
 * Integers that JSON cannot represent exactly are excluded.
 */
export function buildIntegers(least: bigint, most: bigint): Expression | undefined {
  const [low, high] = [least < -SAFE ? -SAFE : least, most > SAFE ? SAFE : most];
  if (low > high) return undefined;
  const parts: Expression[] = [];
  if (low < 0n) parts.push(makeSequence(makeWords("-"), buildNatural(high < 0n ? -high : 1n, -low)));
  if (high >= 0n) parts.push(buildNatural(low > 0n ? low : 0n, high));
  return makeChoice(...parts);
}

function buildNatural(low: bigint, high: bigint): Expression {
  const lengths = Array.from({ length: `${high}`.length }, (_, index) => index + 1);
  const parts = lengths.flatMap((length) => {
    const least = length === 1 ? 0n : 10n ** BigInt(length - 1);
    const most = 10n ** BigInt(length) - 1n;
    const [from, to] = [low > least ? low : least, high < most ? high : most];
    return from > to ? [] : [buildDigits(`${from}`, `${to}`)];
  });
  return makeChoice(...parts);
}

/** Returns a grammar of the numbers from `low` to `high`. These two numbers must have equally many digits. */
function buildDigits(low: string, high: string): Expression {
  const [first = "", last = ""] = [low[0], high[0]];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  const rest = lowRest.length;
  if (rest === 0) return buildDigit(first, last);
  if (first === last) return makeSequence(makeWords(first), buildDigits(lowRest, highRest));
  const [zeros, nines] = ["0".repeat(rest), "9".repeat(rest)];
  const isOpenBelow = lowRest === zeros;
  const isOpenAbove = highRest === nines;
  const [from, to] = [Number(first) + (isOpenBelow ? 0 : 1), Number(last) - (isOpenAbove ? 0 : 1)];
  return makeChoice(
    ...(isOpenBelow ? [] : [makeSequence(makeWords(first), buildDigits(lowRest, nines))]),
    ...(from > to
      ? []
      : [makeSequence(buildDigit(`${from}`, `${to}`), makeRepeated(buildDigit("0", "9"), rest, rest))]),
    ...(isOpenAbove ? [] : [makeSequence(makeWords(last), buildDigits(zeros, highRest))]),
  );
}

const buildDigit = (first: string, last: string): Expression =>
  makeCharacters([first.charCodeAt(0), last.charCodeAt(0)]);
