// Combines the bounds of one number: the tightest bound on each side, and the excluded single values.
import { compareDecimals, type Decimal } from "../../../engine/lib/policy/index.ts";

/** Lower or upper bound of an interval. */
export interface Bound {
  readonly value: Decimal;
  /** Whether the bound itself is outside of the interval. */
  readonly open: boolean;
}

/** The range in which one number may be. A side without a bound is absent. */
export interface Interval {
  readonly low?: Bound;
  readonly high?: Bound;
  /** Excluded values, as texts that `formatDecimal` returns. */
  readonly holes: ReadonlySet<string>;
}

/** Finds the tightest bounds in one pass, because a page may have a hundred thousand bounds. */
export function createInterval(lows: readonly Bound[], highs: readonly Bound[], holes: readonly Decimal[]): Interval {
  const low = chooseTightest(lows, 1);
  const high = chooseTightest(highs, -1);
  return { ...(low && { low }), ...(high && { high }), holes: new Set(holes.map(formatDecimal)) };
}

function chooseTightest(bounds: readonly Bound[], way: 1 | -1): Bound | undefined {
  return bounds.reduce<Bound | undefined>(
    (most, bound) => (most && !isTighter(bound, most, way) ? most : bound),
    undefined,
  );
}

/** Returns whether a bound is tighter than another on the same side. `way` is 1 for lower bounds and -1 for upper ones. */
function isTighter(bound: Bound, than: Bound, way: 1 | -1): boolean {
  const order = compareDecimals(bound.value, than.value) * way;
  return order > 0 || (order === 0 && bound.open);
}

/**
 * Returns whether the interval contains any number, which may be a fraction. Between two different bounds there are
 * always more fractions than excluded values.
 */
export function hasFraction({ low, high, holes }: Interval): boolean {
  if (low === undefined || high === undefined) return true;
  const order = compareDecimals(low.value, high.value);
  if (order === 0) return !low.open && !high.open && !hasHole(holes, low.value);
  return order < 0;
}

/** Returns whether the interval contains any integer. An interval without a lower or an upper bound always contains one. */
export function hasWholeNumber(interval: Interval): boolean {
  const { low, high, holes } = interval;
  if (low === undefined || high === undefined) return true;
  const first = computeFirstWhole(low);
  const last = -computeFirstWhole({ value: negateDecimal(high.value), open: high.open });
  if (holes.size === 0) return last >= first;
  const taken = [...holes].filter((hole) => !hole.includes(".") && BigInt(hole) >= first && BigInt(hole) <= last);
  return last - first + 1n > BigInt(taken.length);
}

/** Returns whether the bounds and holes allow this value. */
export function isInside(value: Decimal, { low, high, holes }: Interval): boolean {
  return isBeyond(value, low, 1) && isBeyond(value, high, -1) && !hasHole(holes, value);
}

function hasHole(holes: ReadonlySet<string>, value: Decimal): boolean {
  return holes.size > 0 && holes.has(formatDecimal(value));
}

function isBeyond(value: Decimal, bound: Bound | undefined, way: 1 | -1): boolean {
  if (bound === undefined) return true;
  const order = compareDecimals(value, bound.value) * way;
  return order > 0 || (order === 0 && !bound.open);
}

/** Returns the least integer that a lower bound allows. */
function computeFirstWhole({ value, open }: Bound): bigint {
  const floor = roundDown(value);
  const isWhole = compareDecimals(value, { digits: floor, scale: 0 }) === 0;
  return isWhole && !open ? floor : floor + 1n;
}

/** Returns the greatest integer that is not above the value. */
export function roundDown({ digits, scale }: Decimal): bigint {
  if (scale === 0) return digits;
  const unit = 10n ** BigInt(scale);
  const cut = digits / unit;
  return digits < 0n && cut * unit !== digits ? cut - 1n : cut;
}

/** Returns the text of a decimal without trailing zeros, so that each value has only one text. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? "-" : "";
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, "");
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

function negateDecimal({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale };
}
