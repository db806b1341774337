// Reads dates as people and programs write them in English, and returns them as `2024-01-11`, or as `--01-11` without a year.

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
/** Matches a digit, or the first letters of a month. */
const BEGINS = /^(?:\d|jan|feb|ma[ry]|apr|ju[nl]|aug|sep|oct|nov|dec)/i;
const DAYS_OF = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

interface FoundDate {
  readonly text: string;
  /**
   * Number of chunks (pieces of text between blanks and marks) that the date takes, at least one. `Jan 11, 2024` takes
   * three.
   */
  readonly chunks: number;
}

/**
 * Returns the date that begins at the chunk of index `at`, or `undefined` if none does. A date that does not exist,
 * such as February 30th, does not count.
 */
export function findDates(chunks: readonly string[], at: number): FoundDate | undefined {
  const first = trim(chunks[at]);
  if (!BEGINS.test(first)) return undefined;
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T[\d:.]{2,16}(?:Z|[+-]\d{2}:?\d{2})?)?$/i.exec(first);
  if (iso !== null) return build(Number(iso[2]), Number(iso[3]), iso[1], 1);
  const numeric = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(first);
  // 1/2/2024 is a different day in different countries, so it does not count. 13/2/2024 counts, because 13 can only be the day.
  if (numeric !== null) {
    const [, left, right, year] = numeric;
    const [a, b] = [Number(left), Number(right)];
    if (a > 12 || first.includes(".")) return build(b, a, year, 1);
    return b > 12 || a === b ? build(a, b, year, 1) : undefined;
  }
  const month = readMonth(first);
  if (month !== undefined) return readBehindMonth(chunks, at, month);
  const day = readDay(first);
  if (day === undefined) return undefined;
  const next = trim(chunks[at + 1]).toLowerCase() === "of" ? at + 2 : at + 1;
  const named = readMonth(trim(chunks[next]));
  if (named === undefined) return undefined;
  return withYear(chunks, next + 1, { month: named, day, used: next + 1 - at });
}

/** Reads a date that begins with its month: `January 11th, 2024`, `Jan 11`. Returns `undefined` if no day follows the month. */
function readBehindMonth(chunks: readonly string[], at: number, month: number): FoundDate | undefined {
  const day = readDay(trim(chunks[at + 1]));
  return day === undefined ? undefined : withYear(chunks, at + 2, { month, day, used: 2 });
}

function withYear(
  chunks: readonly string[],
  at: number,
  { month, day, used }: { readonly month: number; readonly day: number; readonly used: number },
): FoundDate | undefined {
  const year = /^(?:19|20)\d{2}$/.exec(trim(chunks[at]))?.[0];
  return year === undefined ? build(month, day, undefined, used) : build(month, day, year, used + 1);
}

function build(month: number, day: number, year: string | undefined, chunks: number): FoundDate | undefined {
  const days = DAYS_OF[month - 1];
  if (days === undefined || day < 1 || day > days) return undefined;
  const two = (value: number) => String(value).padStart(2, "0");
  return { text: `${year ?? "-"}-${two(month)}-${two(day)}`, chunks };
}

function readMonth(chunk: string): number | undefined {
  const word = chunk.toLowerCase();
  if (word.length < 3) return undefined;
  const index = MONTHS.findIndex(
    (month) =>
      month === word || (word.length <= 4 && word !== "mar" && month.startsWith(word)) || month.slice(0, 3) === word,
  );
  // `may` and `march` are also common words: a day beside the word shows that it means a month.
  return index < 0 ? undefined : index + 1;
}

function readDay(chunk: string): number | undefined {
  const match = /^(\d{1,2})(?:st|nd|rd|th)?$/i.exec(chunk);
  const day = match === null ? 0 : Number(match[1]);
  return day >= 1 && day <= 31 ? day : undefined;
}

function trim(chunk: string | undefined): string {
  return (chunk ?? "").replace(/[.:]$/, "");
}
