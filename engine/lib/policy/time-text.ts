// Dates and durations in texts, as exact decimals of milliseconds. A text without an exact length, such as a month, or without an exact
// moment, such as a time of day without an offset, has no value.

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d)))?$/;

/**
 * Returns the milliseconds from 1970 to an ISO 8601 date or a date-time with an offset, as a decimal. Returns `undefined` if the text is
 * neither. A date is the beginning of its day in UTC.
 */
export function parseDateText(text: string): string | undefined {
  const [, year = "", month = "", day = "", ...time] = DATE.exec(text) ?? [];
  if (year === "") return undefined;
  const [hour = "0", minute = "0", second = "0", fraction = "", sign = "+", ...offset] = time;
  const [offsetHour = 0, offsetMinute = 0] = offset.map((part) => Number(part ?? 0));
  const isOfClock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  if (!isOfClock || offsetHour > 23 || offsetMinute > 59) return undefined;
  const at = new Date(0);
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (at.getUTCMonth() !== Number(month) - 1 || at.getUTCDate() !== Number(day)) return undefined;
  const offsetMinutes = (sign === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const seconds = (Number(hour) * 60 + Number(minute) - offsetMinutes) * 60 + Number(second);
  return joinFraction(BigInt(at.getTime()) + BigInt(seconds) * 1000n, fraction);
}

const ISO_DURATION =
  /^P(?:(\d{1,9})W|(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,9}))?S)?)?)$/;
const WORDS = /^(\d{1,12}) ?(ms|s|min|h)$/;
const UNITS = { ms: 1n, s: 1000n, min: 60_000n, h: 3_600_000n };

/**
 * Returns the milliseconds of an ISO 8601 duration without years and months, or of a text such as `5 min`, as a decimal. Returns
 * `undefined` if the text is neither.
 */
export function parseDurationText(text: string): string | undefined {
  const [, amount, unit] = WORDS.exec(text) ?? [];
  if (amount !== undefined) return String(BigInt(amount) * (isUnit(unit) ? UNITS[unit] : 0n));
  const [, week, day, hour, minute, second, fraction = ""] = ISO_DURATION.exec(text) ?? [];
  const given = [week, day, hour, minute, second];
  if (text.endsWith("T") || given.every((part) => part === undefined)) return undefined;
  const [weeks = 0n, days = 0n, hours = 0n, minutes = 0n, seconds = 0n] = given.map((part) => BigInt(part ?? 0));
  return joinFraction(((((weeks * 7n + days) * 24n + hours) * 60n + minutes) * 60n + seconds) * 1000n, fraction);
}

function isUnit(word: string | undefined): word is keyof typeof UNITS {
  return word !== undefined && word in UNITS;
}

/** Returns whole milliseconds plus the digits of a fraction of a second, exactly. */
function joinFraction(milliseconds: bigint, fraction: string): string {
  const nanoseconds = milliseconds * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const rest = (magnitude % 1_000_000n).toString().padStart(6, "0").replace(/0+$/, "");
  const whole = magnitude / 1_000_000n;
  return `${nanoseconds < 0n ? "-" : ""}${whole}${rest === "" ? "" : `.${rest}`}`;
}

/** Returns the date of whole milliseconds as a page writes it, or `undefined` if there is none. */
export function renderDateText(milliseconds: string): string | undefined {
  const at = new Date(Number(milliseconds));
  if (!/^-?\d+$/.test(milliseconds) || Number.isNaN(at.getTime())) return undefined;
  const text = at.toISOString();
  return parseDateText(text) === undefined ? undefined : text.replace(/T00:00:00\.000Z$|\.000(?=Z$)/, "");
}
