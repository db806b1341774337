/** An exact decimal: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Maximum characters of a decimal: a longer text is not an amount, and would take long to compare. */
const MAX_DECIMAL_LENGTH = 64;
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/**
 * Returns the decimal that a text spells, or `undefined` for a text with an exponent, leading zero, plus sign or blank: each amount has one
 * spelling, except for trailing zeros.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > MAX_DECIMAL_LENGTH || !DECIMAL.test(text)) return undefined;
  const point = text.indexOf(".");
  if (point === -1) return { digits: BigInt(text), scale: 0 };
  const fraction = text.slice(point + 1);
  return { digits: BigInt(text.slice(0, point) + fraction), scale: fraction.length };
}

/** Returns a number below zero, zero or above zero if `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.scale === b.scale) return a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0;
  const scale = Math.max(a.scale, b.scale);
  const left = a.digits * 10n ** BigInt(scale - a.scale);
  const right = b.digits * 10n ** BigInt(scale - b.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}
