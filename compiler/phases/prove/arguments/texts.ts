// Samples texts: words, folders, origins and amounts. Each text is sampled in every length that conditions on the size
// distinguish.
import {
  fillWildcard,
  isWithinDomain,
  parseDurationText,
  parseOrigin,
  parsePathSegments,
  parseWildcard,
  renderDateText,
} from "../../../../engine/lib/policy/index.ts";
import { parseDistinctDecimals, sampleDecimals } from "./amounts.ts";

/** Literals with which conditions compare one text. */
export interface Literals {
  readonly words: readonly string[];
  readonly folders: readonly string[];
  readonly origins: readonly string[];
  readonly domains: readonly string[];
  /** Literals of `startsWith`; `ends` has the literals of `endsWith`. */
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly patterns: readonly string[];
  /** Literals of dates in milliseconds; `durations` has the literals of durations, also in milliseconds. */
  readonly dates: readonly string[];
  readonly durations: readonly string[];
  readonly decimals: readonly string[];
  /** Sizes in bytes with which conditions compare the text. */
  readonly sizes: readonly number[];
}

/**
 * Returns sample texts of at most `longest` bytes, short ones first. If a condition names a folder, texts that are not
 * paths come last.
 */
export function sampleTexts(literals: Literals, longest: number): readonly string[] {
  const around = new Set(literals.sizes.flatMap((size) => [size - 1, size, size + 1]));
  const sizes = [...around].filter((size) => size > 0 && size <= longest);
  const all = new Set<string>();
  for (const { texts, grow } of listTextKinds(literals)) {
    for (const text of texts) all.add(text);
    if (sizes.length === 0) continue;
    for (const text of texts.slice(0, MOST_GROWN)) {
      for (const size of sizes) {
        const longer = grow(text, size);
        if (longer !== undefined) all.add(longer);
      }
    }
  }
  for (const word of literals.words) all.add(word);
  const short = [...all].sort((one, other) => one.length - other.length);
  const nowhere = literals.folders.length > 0 ? [1, ...sizes].map((size) => "\u0000".repeat(size)) : [];
  // One UTF-16 code unit takes at most three bytes of UTF-8.
  return [...short, ...nowhere].filter((text) => text.length * 3 <= longest || Buffer.byteLength(text) <= longest);
}

/**
 * Maximum number of texts of one kind that are lengthened to each size near the sizes in conditions. The limit saves
 * memory, because each text may be as long as the longest argument.
 */
const MOST_GROWN = 16;

interface TextKind {
  readonly texts: readonly string[];
  /**
   * Returns a text of `size` bytes of the same kind as the given one, such as a link with the same domain; `undefined`
   * if there is no such text.
   */
  readonly grow: (text: string, size: number) => string | undefined;
}

function listTextKinds(literals: Literals): readonly TextKind[] {
  const { words, folders, origins, domains, starts, ends, decimals } = literals;
  const known = new Set(words.map((word) => word.length));
  // Usually none of the compared words has the length `size`. Then any text of this length differs from all of them,
  // and comparing it with each word would waste time.
  const findUnusedText = (_: string, size: number) =>
    (known.has(size) ? LETTERS.find((letter) => !words.includes(letter.repeat(size))) : "a")?.repeat(size);
  const kinds: readonly TextKind[] = [
    { texts: ["", findUnusedText("", 1) ?? ""], grow: findUnusedText },
    { texts: folders.length > 0 ? sampleFolders(folders) : [], grow: (text, size) => padText(text, "/", size) },
    { texts: origins.length > 0 ? sampleAddresses(origins) : [], grow: (text, size) => padText(`${text}/`, "a", size) },
    {
      texts: domains.length > 0 ? [...sampleHosts(domains), ...sampleOtherOrigins(domains, origins)] : [],
      grow: (text, size) => padText(`${text}/`, "a", size),
    },
    { texts: starts, grow: (text, size) => padText(text, "a", size) },
    { texts: ends, grow: (text, size) => padText("", "a", size - Buffer.byteLength(text))?.concat(text) },
    ...literals.patterns.flatMap((text) => samplePattern(text, starts, ends)),
    { texts: sampleTimes(literals.dates).flatMap(renderDate), grow: () => undefined },
    { texts: sampleTimes(literals.durations).flatMap(renderDuration), grow: () => undefined },
    { texts: starts.flatMap((start) => ends.map((end) => start + end)), grow: () => undefined },
    {
      texts: sampleDecimals(parseDistinctDecimals(decimals)),
      grow: (text, size) => padText(text.includes(".") ? text : `${text}.0`, "0", size),
    },
  ];
  return kinds.filter(({ texts }) => texts.length > 0);
}

/**
 * Returns texts that match a pattern. In the first one, the stars match nothing. In the others, they match beginnings
 * and ends that other conditions name.
 */
function samplePattern(text: string, starts: readonly string[], ends: readonly string[]): readonly TextKind[] {
  const pattern = parseWildcard(text);
  if (pattern === undefined) return [];
  const shortest = fillWildcard(pattern, "");
  const fillers = ["", "a", ...starts, ...ends].slice(0, MOST_GROWN);
  const grow = (_: string, size: number) => {
    const missing = size - Buffer.byteLength(shortest);
    if (pattern.length === 1 || missing < 0) return undefined;
    // The first star of the pattern stands for all characters that the text still lacks to have this size; the other stars
    // stand for no characters.
    const [first = [], ...others] = pattern;
    return `${fillWildcard([first], "")}${"a".repeat(missing)}${fillWildcard(others, "")}`;
  };
  return [{ texts: [...new Set(fillers.map((filler) => fillWildcard(pattern, filler)))], grow }];
}

/** Returns for each of these times one time below it, the time itself, and one above it, in milliseconds. */
function sampleTimes(decimals: readonly string[]): readonly string[] {
  const whole = decimals.map((decimal) => Math.floor(Number(decimal)));
  return [...new Set(whole.flatMap((time) => [time - 1, time, time + 1]))].map(String);
}

function renderDate(milliseconds: string): readonly string[] {
  const date = renderDateText(milliseconds);
  return date === undefined ? [] : [date];
}

function renderDuration(milliseconds: string): readonly string[] {
  const text = `${milliseconds} ms`;
  return parseDurationText(text) === undefined ? [] : [text];
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

function padText(text: string, filler: string, size: number): string | undefined {
  const missing = size - Buffer.byteLength(text);
  return missing < 0 ? undefined : text + filler.repeat(missing);
}

/** Returns each folder in its shortest form, a folder that is in none of them, and the empty text. */
function sampleFolders(folders: readonly string[]): readonly string[] {
  const names = folders.flatMap((folder) => parsePathSegments(folder)?.join("/") ?? []);
  const first = new Set(names.map((name) => name.split("/")[0]));
  return ["", ...LETTERS.filter((letter) => !first.has(letter)).slice(0, 1), ...names];
}

/** Returns an address in each origin, and an address in none of these origins. */
function sampleAddresses(origins: readonly string[]): readonly string[] {
  const known = new Set(origins);
  const other = LETTERS.map((letter) => `https://${letter}.example`).filter((origin) => !known.has(origin));
  return [...other.slice(0, 1), ...origins.filter((origin) => parseOrigin(origin) === origin)];
}

/** Returns a link and an e-mail address in each domain, a link in a subdomain, and one link in none of the domains. */
export function sampleHosts(domains: readonly string[]): readonly string[] {
  const other = LETTERS.flatMap((letter) => [`${letter}.example`, `${letter}.test`]).filter(
    (domain) => !domains.some((root) => isWithinDomain(domain, root)),
  );
  const inside = domains.flatMap((domain) => [domain, `${LETTERS[0]}.${domain}`]);
  return [...other.slice(0, 1), ...inside].flatMap((domain) => [`https://${domain}`, `a@${domain}`]);
}

/**
 * Returns one link for each domain: its host is the domain, and its origin is none of `origins`. Such links are needed
 * for conditions on both the domain and the origin.
 */
function sampleOtherOrigins(domains: readonly string[], origins: readonly string[]): readonly string[] {
  if (origins.length === 0) return [];
  const known = new Set(origins);
  const ports = Array.from({ length: origins.length }, (_, index) => `:${index + 1}`);
  return domains.flatMap((domain) => {
    const other = ["", ...ports].map((port) => `http://${domain}${port}`).find((origin) => !known.has(origin));
    return other ?? [];
  });
}
