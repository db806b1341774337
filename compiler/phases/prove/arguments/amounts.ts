// Numbers to try: of the literals that values are compared with each one, one between each two, and one beyond the ends.
import { compareDecimals, type Decimal, decimalFrom, type Json } from "../../../../engine/lib/policy/index.ts";
import { plainText, wholeBelow } from "../../conditions/index.ts";
import { integerJson } from "./plain.ts";

/** In ascending order, each once. What is no exact decimal is left out. */
export function distinctDecimals(texts: readonly string[]): readonly Decimal[] {
  const decimals = texts.flatMap((text) => decimalFrom(text) ?? []);
  return [...new Map(decimals.map((each) => [plainText(each), each])).values()].sort(compareDecimals);
}

/**
 * Of the integers between the bounds one for each way of standing to the literals, so that no other integer stands to them
 * in a way that these do not. Those near nought come first.
 */
export function integersAround(
  literals: readonly Decimal[],
  { low, high }: { readonly low: bigint; readonly high: bigint },
): readonly Json[] {
  const near = literals.map(wholeBelow).flatMap((whole) => [whole - 1n, whole, whole + 1n]);
  const all = [...new Set([0n, low, high, ...near])].filter((integer) => integer >= low && integer <= high);
  return all.sort((one, other) => (size(one) < size(other) ? -1 : 1)).map(integerJson);
}

function size(integer: bigint): bigint {
  return integer < 0n ? -integer : integer;
}

/** Exact decimals as text. */
export function decimalsAround(literals: readonly Decimal[]): readonly string[] {
  const [first] = literals;
  const last = literals[literals.length - 1];
  if (first === undefined || last === undefined) return [];
  const between = literals.slice(1).map((literal, index) => middle(literals[index] ?? literal, literal));
  return ["0", ...[...literals, ...between, shifted(first, -1n), shifted(last, 1n)].map(plainText)];
}

function middle(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { digits: (scaled(one, scale) + scaled(other, scale)) * 5n, scale: scale + 1 };
}

function shifted(decimal: Decimal, by: bigint): Decimal {
  return { digits: decimal.digits + by * 10n ** BigInt(decimal.scale), scale: decimal.scale };
}

function scaled({ digits, scale }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}
