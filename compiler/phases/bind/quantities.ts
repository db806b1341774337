import type { Name, Numeral, Quantity } from "../../../lang/tree/index.ts";
import { wrongAmount, wrongUnit } from "./codes.ts";
import type { Context } from "./context.ts";

/** Units of size with their numbers of bytes, the smallest unit first. */
const BYTES: ReadonlyMap<string, bigint> = new Map([
  ["B", 1n],
  ["KiB", 1n << 10n],
  ["MiB", 1n << 20n],
  ["GiB", 1n << 30n],
  ["TiB", 1n << 40n],
]);

const TOKENS: ReadonlyMap<string, bigint> = new Map([["tokens", 1n]]);
const PERCENT: ReadonlyMap<string, bigint> = new Map([["percent", 1n]]);

const MILLISECONDS: ReadonlyMap<string, bigint> = new Map([
  ["ms", 1n],
  ["s", 1000n],
  ["min", 60_000n],
  ["h", 3_600_000n],
]);

export function isByteUnit(unit: string): boolean {
  return BYTES.has(unit);
}

export function listByteUnits(): string[] {
  return [...BYTES.keys()];
}

export function listTimeUnits(): string[] {
  return [...MILLISECONDS.keys()];
}

/**
 * Returns a size in bytes. If the unit is wrong, or the size has a fraction of a byte or exceeds `limit`, reports this and returns
 * `undefined`.
 */
export function readBytes(context: Context, quantity: Quantity, limit: bigint): bigint | undefined {
  return convertToSmallest(context, quantity, { units: BYTES, what: "size", limit });
}

export function readMilliseconds(context: Context, quantity: Quantity, limit: bigint): number | undefined {
  const amount = convertToSmallest(context, quantity, { units: MILLISECONDS, what: "time", limit });
  return amount === undefined ? undefined : Number(amount);
}

/** Returns an amount of tokens. If the amount is invalid, reports this and returns 0. */
export function readTokens(context: Context, quantity: Quantity): number {
  return Number(convertToSmallest(context, quantity, { units: TOKENS, what: "context", limit: 0xffff_ffffn }) ?? 0n);
}

export function readPercent(context: Context, quantity: Quantity): number {
  return Number(convertToSmallest(context, quantity, { units: PERCENT, what: "share", limit: 100n }) ?? 0n);
}

/** Kind of quantity: its units, its name and its maximum. */
interface Measure {
  readonly units: ReadonlyMap<string, bigint>;
  readonly what: string;
  readonly limit: bigint;
}

function convertToSmallest(
  context: Context,
  { amount, unit }: Quantity,
  { units, what, limit }: Measure,
): bigint | undefined {
  const factor = units.get(unit.text);
  if (factor === undefined) {
    context.report(wrongUnit.at(unit.span, { unit: unit.text, what, known: [...units.keys()] }));
    return undefined;
  }
  // The list of units begins with the smallest.
  const [smallest] = units.keys();
  return readWhole(context, amount, { unit: unit.text, factor, smallest }, limit);
}

/**
 * A unit as the page names it (`unit`), such as `KiB`. It consists of `factor` units of the kind `smallest`, such as
 * 1024 `B`.
 */
interface Counted {
  readonly factor: bigint;
  readonly unit?: string | undefined;
  readonly smallest?: string | undefined;
}

/** Returns `amount × factor` if that is a whole number from 1 to `limit`; otherwise reports it and returns `undefined`. */
export function readWhole(context: Context, amount: Numeral, unitOf: Counted, limit: bigint): bigint | undefined {
  const { factor, unit = "", smallest: least = "" } = unitOf;
  const whole = scaleDecimal(amount.decimal, factor);
  if (whole !== undefined && whole >= 1n && whole <= limit) return whole;
  const said = `${amount.decimal} ${unit}`.trimEnd();
  const wanted =
    whole === undefined
      ? `a whole number of ${least === "" ? "the smallest unit" : least}`
      : `an amount from ${formatCount(1n, least)} to ${limit >= factor ? formatCount(limit / factor, unit) : formatCount(limit, least)}`;
  context.report(wrongAmount.at(amount.span, { amount: said, wanted }));
  return undefined;
}

function formatCount(amount: bigint, unit: string): string {
  return unit === "" ? `${amount}` : `${amount} ${unit}`;
}

/** Returns a decimal times an integer, or `undefined` if the product is not an integer. */
export function scaleDecimal(decimal: string, factor: bigint): bigint | undefined {
  if (!decimal.includes(".")) return BigInt(decimal) * factor;
  const [whole = "0", fraction = ""] = decimal.split(".");
  const divisor = 10n ** BigInt(fraction.length);
  const product = BigInt(whole + fraction) * factor;
  return product % divisor === 0n ? product / divisor : undefined;
}

/**
 * Returns a size as a decimal number of bytes, for a literal in a condition. If the size is invalid, reports this and
 * returns `undefined`.
 */
export function convertToByteDecimal(context: Context, amount: Numeral, unit: Name): string | undefined {
  return convertToDecimal(context, { amount, unit }, { units: BYTES, what: "size", smallest: "bytes" });
}

/**
 * Returns a duration as a decimal number of milliseconds, for a literal in a condition. If it is invalid, reports this
 * and returns `undefined`.
 */
export function convertToMillisecondDecimal(context: Context, amount: Numeral, unit: Name): string | undefined {
  return convertToDecimal(context, { amount, unit }, { units: MILLISECONDS, what: "time", smallest: "milliseconds" });
}

interface DecimalMeasure extends Pick<Measure, "units" | "what"> {
  readonly smallest: string;
}

function convertToDecimal(
  context: Context,
  { amount, unit }: Pick<Quantity, "amount" | "unit">,
  { units, what, smallest }: DecimalMeasure,
): string | undefined {
  const factor = units.get(unit.text);
  if (factor === undefined) {
    context.report(wrongUnit.at(unit.span, { unit: unit.text, what, known: [...units.keys()] }));
    return undefined;
  }
  const whole = scaleDecimal(amount.decimal, factor);
  if (whole === undefined) {
    context.report(wrongAmount.at(amount.span, { amount: amount.decimal, wanted: `a whole number of ${smallest}` }));
  }
  return whole?.toString();
}
