// Samples numbers: each literal with which values are compared, one number between each two literals, and one beyond
// each end.
import { compareDecimals, type Decimal, type Json, parseDecimal } from "../../../../engine/lib/policy/index.ts";
import { formatDecimal, roundDown } from "../../conditions/index.ts";
import { encodeInteger } from "./build-arguments.ts";

/** Returns the distinct decimals of these texts, in ascending order. Texts that are not exact decimals are omitted. */
export function parseDistinctDecimals(texts: readonly string[]): readonly Decimal[] {
  const decimals = texts.flatMap((text) => parseDecimal(text) ?? []);
  return [...new Map(decimals.map((each) => [formatDecimal(each), each])).values()].sort(compareDecimals);
}

/**
 * Returns integers within the bounds: one that equals each literal, one between each two neighbours, one below all
 * literals and one above them. For any other integer, comparisons with the literals give the same results as for one of
 * the returned integers. Integers near zero come first in the list.
 */
export function sampleIntegers(
  literals: readonly Decimal[],
  { low, high }: { readonly low: bigint; readonly high: bigint },
): readonly Json[] {
  const near = literals.map(roundDown).flatMap((whole) => [whole - 1n, whole, whole + 1n]);
  const all = [...new Set([0n, low, high, ...near])].filter((integer) => integer >= low && integer <= high);
  return all.sort((one, other) => (computeMagnitude(one) < computeMagnitude(other) ? -1 : 1)).map(encodeInteger);
}

function computeMagnitude(integer: bigint): bigint {
  return integer < 0n ? -integer : integer;
}

/** Returns sample decimals as texts: each literal, and decimals between and beyond them. */
export function sampleDecimals(literals: readonly Decimal[]): readonly string[] {
  const [first] = literals;
  const last = literals[literals.length - 1];
  if (first === undefined || last === undefined) return [];
  const between = literals.slice(1).map((literal, index) => computeMidpoint(literals[index] ?? literal, literal));
  return ["0", ...[...literals, ...between, shiftDecimal(first, -1n), shiftDecimal(last, 1n)].map(formatDecimal)];
}

function computeMidpoint(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { digits: (scaleDigits(one, scale) + scaleDigits(other, scale)) * 5n, scale: scale + 1 };
}

function shiftDecimal(decimal: Decimal, by: bigint): Decimal {
  return { digits: decimal.digits + by * 10n ** BigInt(decimal.scale), scale: decimal.scale };
}

function scaleDigits({ digits, scale }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}
