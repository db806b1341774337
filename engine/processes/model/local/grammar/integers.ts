// Whole numbers between two others, digit by digit.

import { characters, choice, type Expression, repeated, sequence, words } from "./expression.ts";

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** As JSON writes them, without zeros before them; nothing where there is none between. What JSON cannot hold exactly is none. */
export function integersBetween(least: bigint, most: bigint): Expression | undefined {
  const [low, high] = [least < -SAFE ? -SAFE : least, most > SAFE ? SAFE : most];
  if (low > high) return undefined;
  const parts: Expression[] = [];
  if (low < 0n) parts.push(sequence(words("-"), natural(high < 0n ? -high : 1n, -low)));
  if (high >= 0n) parts.push(natural(low > 0n ? low : 0n, high));
  return choice(...parts);
}

function natural(low: bigint, high: bigint): Expression {
  const lengths = Array.from({ length: `${high}`.length }, (_, index) => index + 1);
  const parts = lengths.flatMap((length) => {
    const least = length === 1 ? 0n : 10n ** BigInt(length - 1);
    const most = 10n ** BigInt(length) - 1n;
    const [from, to] = [low > least ? low : least, high < most ? high : most];
    return from > to ? [] : [digits(`${from}`, `${to}`)];
  });
  return choice(...parts);
}

/** Numbers of one length between two of that length. */
function digits(low: string, high: string): Expression {
  const [first = "", last = ""] = [low[0], high[0]];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  const rest = lowRest.length;
  if (rest === 0) return digit(first, last);
  if (first === last) return sequence(words(first), digits(lowRest, highRest));
  const [zeros, nines] = ["0".repeat(rest), "9".repeat(rest)];
  const isOpenBelow = lowRest === zeros;
  const isOpenAbove = highRest === nines;
  const [from, to] = [Number(first) + (isOpenBelow ? 0 : 1), Number(last) - (isOpenAbove ? 0 : 1)];
  return choice(
    ...(isOpenBelow ? [] : [sequence(words(first), digits(lowRest, nines))]),
    ...(from > to ? [] : [sequence(digit(`${from}`, `${to}`), repeated(digit("0", "9"), rest, rest))]),
    ...(isOpenAbove ? [] : [sequence(words(last), digits(zeros, highRest))]),
  );
}

const digit = (first: string, last: string): Expression => characters([first.charCodeAt(0), last.charCodeAt(0)]);
