// Splits text into tokens in canonical form: an address, a link, a date, an amount and a word each have one spelling, however they were
// written. One function splits both values and the texts that they may come from, so that equal tokens mean equal words.
//
// The text may be hostile: it is bounded before it is read, each character is read a bounded number of times, and no error is thrown.

import { findDates } from "./dates.ts";

/**
 * - `word`: letters and digits in lower case.
 * - `number`: an exact decimal without trailing zeros.
 * - `date`: `2024-01-11`, or `--01-11` if the text names no year.
 * - `url`: host and path without a scheme, in lower case up to the path.
 * - `address`: an e-mail address in lower case.
 * - `file`: a name with an extension, or a path.
 * - `account`: letters and digits as bank accounts have them, without blanks.
 */
type TokenKind = "word" | "number" | "date" | "url" | "address" | "file" | "account";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /**
   * Whether the token is too short to prove a source by itself: a time, a date without a year, or a number of one or
   * two digits without a unit or a fraction. A weak token counts only as part of a longer sequence.
   */
  readonly isWeak: boolean;
  /** Whether the token is a name of three letters with an upper-case initial: such a token counts only in this spelling. */
  readonly isShortName?: boolean;
}

/** Maximum length of a text, at which longer ones are cut: an argument has at most 131,072 bytes. */
export const MAX_TEXT_LENGTH = 131_072;

/**
 * Matches blanks and marks between words. Typographic quotes, dots and dashes are written as escapes, because a program
 * is ASCII and esbuild does not change patterns.
 */
const BLANKS_AND_MARKS =
  /[\s"'`\u201c\u201d\u2018\u2019\u201e\u00ab\u00bb\u2039\u203a()[\]{}<>|,;!?*\u2026\u2013\u2014]+/u;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;
/** Matches a text of visible ASCII characters and blanks. */
const PLAIN = /^[ -~]*$/;
/** `1,050` is one number. A comma between other digits separates two numbers. */
const THOUSANDS = /(\d),(?=\d{3}(?!\d))/gu;
const TRAILING = /[.:/\\_~=&#-]$/;

/** Returns the tokens of a text in order; for a text above `MAX_TEXT_LENGTH` those of its beginning. */
export function splitTokens(text: string): readonly Token[] {
  const plain = normalize(text.slice(0, MAX_TEXT_LENGTH));
  const chunks = splitChunks(plain);
  const tokens: Token[] = [];
  for (let at = 0; at < chunks.length; ) {
    const date = findDates(chunks, at);
    if (date !== undefined) {
      tokens.push({ kind: "date", text: date.text, isWeak: date.text.startsWith("--") });
      at += date.chunks;
      continue;
    }
    const account = findSpacedAccount(chunks, at);
    if (account !== undefined) {
      tokens.push({ kind: "account", text: account.text, isWeak: false });
      at += account.chunks;
      continue;
    }
    readChunk(chunks[at] ?? "", chunks[at - 1], chunks[at + 1], tokens);
    at += 1;
  }
  return tokens;
}

/** Normalizes compatibility forms and removes invisible characters; blanks that are control characters stay blanks. */
function normalize(text: string): string {
  // Fast path: most arguments have only such characters, which need no normalization, and this check runs for each
  // call.
  if (PLAIN.test(text)) return text.includes(",") ? text.replace(THOUSANDS, "$1") : text;
  return text
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, " ")
    .normalize("NFKC")
    .replace(IGNORABLE, "")
    .replace(THOUSANDS, "$1");
}

function splitChunks(text: string): readonly string[] {
  if (!BLANKS_AND_MARKS.test(text)) return text === "" ? [] : [text];
  return text.split(BLANKS_AND_MARKS).filter((chunk) => chunk !== "");
}

function readChunk(chunk: string, before: string | undefined, after: string | undefined, tokens: Token[]): void {
  const bare = removeTrailing(chunk);
  const entity = readEntity(bare);
  const number = entity === undefined ? readNumber(bare, before, after) : undefined;
  if (entity !== undefined) {
    tokens.push({ kind: entity.kind, text: entity.text, isWeak: false });
    if (entity.rest !== "") tokens.push(...splitTokens(entity.rest));
  } else if (number !== undefined) tokens.push(number);
  else if (TIME.test(bare)) tokens.push({ kind: "word", text: bare.toLowerCase(), isWeak: true });
  else for (const word of bare.split(/[^\p{L}\p{N}\p{M}]+/u)) if (word !== "") tokens.push(readWord(word));
}

interface Entity extends Found {
  readonly kind: "address" | "url" | "account" | "file";
}

/** Returns the address, link, account or file that the whole chunk is, or `undefined` if the chunk is none of them. */
function readEntity(bare: string): Entity | undefined {
  const address = readAddress(bare);
  if (address !== undefined) return { kind: "address", ...address };
  const url = readUrl(bare);
  if (url !== undefined) return { kind: "url", ...url };
  if (TIME.test(bare) || AMOUNT.test(bare)) return undefined;
  if (isAccount(bare)) return { kind: "account", text: bare.toUpperCase(), rest: "" };
  const file = readFile(bare);
  return file === undefined ? undefined : { kind: "file", text: file, rest: "" };
}

const SHORT_NAME = /^\p{Lu}\p{L}{2}$/u;

function readWord(word: string): Token {
  return /^\d+$/.test(word)
    ? { kind: "number", text: writeDecimal(word, ""), isWeak: word.length < 3 }
    : { kind: "word", text: word.toLowerCase(), isWeak: false, ...(SHORT_NAME.test(word) && { isShortName: true }) };
}

/** Removes punctuation that ends a sentence and does not belong to the text before it. */
function removeTrailing(chunk: string): string {
  let end = chunk.length;
  while (end > 0 && TRAILING.test(chunk.slice(end - 1, end))) end -= 1;
  let begin = 0;
  while (begin < end && /^(?:[.:=#_~]|-(?![\d.\p{Sc}]))/u.test(chunk.slice(begin, begin + 2))) begin += 1;
  return chunk.slice(begin, end);
}

interface Found {
  readonly text: string;
  /** Text that follows the link without a blank: in `www.example.com.They` the link ends at the domain. */
  readonly rest: string;
}

const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,62})$/u;

/** Returns an e-mail address, and the text that follows its domain without a blank; `undefined` if the chunk is not an address. */
function readAddress(chunk: string): Found | undefined {
  const text = chunk.replace(/^mailto:/i, "");
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  if (at < 1 || local.length > 64 || !/^[\p{L}\p{N}.!#$%&+/=?^_~-]+$/u.test(local)) return undefined;
  const host = readHost(text.slice(at + 1));
  return host && { text: `${local}@${host.text}`.toLowerCase(), rest: host.rest };
}

/**
 * Returns a link without its scheme and without `/`, `?` and `#` at its end; `undefined` if the chunk is not a link. Text that follows a
 * bare domain without a blank is returned too.
 */
function readUrl(chunk: string): Found | undefined {
  const scheme = /^[a-z][a-z0-9+.-]{1,15}:\/\//i.exec(chunk)?.[0];
  const rest = scheme === undefined ? chunk : chunk.slice(scheme.length);
  const end = rest.search(/[/?#:]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const host = readHost(authority);
  if (host === undefined) return undefined;
  if (host.rest !== "") return { text: host.text, rest: `${host.rest}${end < 0 ? "" : rest.slice(end)}` };
  // A name with an extension is a file, unless other signs show that it is a link.
  if (scheme === undefined && !/^www\./i.test(authority) && (end < 0 || rest[end] === ":") && !isDomain(host.text))
    return undefined;
  const path = end < 0 ? "" : rest.slice(end).replace(/[/?#]+$/, "");
  return { text: `${host.text}${path}`, rest: "" };
}

/**
 * Returns a host of at least two labels, in lower case, and the words that follow it without a blank; `undefined` if the text is not a
 * host.
 */
function readHost(text: string): Found | undefined {
  const labels = text.split(".");
  if (labels.length < 2 || labels.length > 32 || !labels.every((label) => LABEL.test(label))) return undefined;
  // After a top-level domain, a label with an upper-case initial begins a sentence, such as `Then` in `a.com.Then`.
  const glued = labels.findIndex(
    (label, at) => at >= 2 && /^\p{Lu}\p{Ll}*/u.test(label) && /^[\p{Ll}]{2,12}$/u.test(labels[at - 1] ?? ""),
  );
  const kept = glued < 0 ? labels : labels.slice(0, glued);
  const top = kept.at(-1) ?? "";
  if (!/^(?:\p{L}{2,24}|xn--[a-z0-9-]{2,59})$/u.test(top) && !isNumericHost(kept)) return undefined;
  return { text: kept.join(".").toLowerCase(), rest: glued < 0 ? "" : labels.slice(glued).join(".") };
}

function isNumericHost(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label));
}

/** Top-level domains with which a bare name counts as a link; other links need a scheme, `www.` or a path. */
const DOMAINS: ReadonlySet<string> = new Set(
  "com org net edu gov mil int info biz io ai app dev co eu uk de fr es it nl ch at be se no dk fi pl cz pt ie us ca au nz jp cn in br ru za".split(
    " ",
  ),
);

function isDomain(host: string): boolean {
  return DOMAINS.has(host.slice(host.lastIndexOf(".") + 1));
}

const TIME = /^\d{1,2}(?::\d{2}){1,2}(?:am|pm)?$|^\d{1,2}(?:am|pm)$/i;
const AMOUNT = /^([+-]?)(\p{Sc}|[A-Z]{3})?([+-]?)(\d+)(?:\.(\d+))?(%|\p{Sc}|[a-z]{1,4}|[A-Z]{1,4})?$/u;
const UNIT =
  /^(?:[A-Z]{3}|\p{Sc}|euros?|dollars?|pounds?|francs?|yen|cents?|percent|bytes?|[kKMG]i?B|hours?|minutes?|days?|nights?)$/u;
const SCALES: Readonly<Record<string, number>> = { k: 3, K: 3, M: 6 };

/** Returns a number in canonical form, or `undefined` if the chunk is not a number. Digits that are part of a word do not count. */
function readNumber(chunk: string, before: string | undefined, after: string | undefined): Token | undefined {
  if (chunk.length > 64) return undefined;
  const match = AMOUNT.exec(chunk);
  if (match === null) return undefined;
  const [, sign = "", currency, second = "", whole = "", fraction = "", behind = ""] = match;
  const scale = SCALES[behind];
  if (behind !== "" && scale === undefined && !UNIT.test(behind) && behind !== "%") return undefined;
  const text = writeDecimal(...shiftDecimal(whole, fraction, scale ?? 0));
  const hasUnit =
    currency !== undefined ||
    behind !== "" ||
    [before, after].some((beside) => beside !== undefined && UNIT.test(removeTrailing(beside)));
  const isNegative = (sign === "-" || second === "-") && text !== "0";
  return {
    kind: "number",
    text: isNegative ? `-${text}` : text,
    isWeak: !hasUnit && fraction === "" && whole.replace(/^0+/, "").length < 3,
  };
}

function shiftDecimal(whole: string, fraction: string, places: number): [string, string] {
  const padded = fraction.padEnd(places, "0");
  return [whole + padded.slice(0, places), padded.slice(places)];
}

/** Returns the shortest decimal: `007.50` becomes `7.5`. */
function writeDecimal(whole: string, fraction: string): string {
  const left = whole.replace(/^0+(?=\d)/, "");
  const right = removeZeros(fraction);
  return right === "" ? left : `${left}.${right}`;
}

function removeZeros(fraction: string): string {
  let end = fraction.length;
  while (end > 0 && fraction[end - 1] === "0") end -= 1;
  return fraction.slice(0, end);
}

/**
 * Returns whether a text is an account number: at least eight characters, at least four digits, with letters, beginning like an IBAN or
 * with a digit.
 */
function isAccount(chunk: string): boolean {
  return (
    /^(?:[A-Za-z]{2}\d{2}[A-Za-z0-9]{8,30}|[A-Z0-9]{8,34})$/.test(chunk) &&
    /\p{L}/u.test(chunk) &&
    (chunk.match(/\d/g)?.length ?? 0) >= 4
  );
}

const ACCOUNT_BEGINS = /^[A-Z]{2}\d{2}(?:[A-Z0-9]{4})?$/;

/** Returns an IBAN without the blanks between its groups of four. */
function findSpacedAccount(
  chunks: readonly string[],
  at: number,
): { readonly text: string; readonly chunks: number } | undefined {
  const first = chunks[at] ?? "";
  if (!ACCOUNT_BEGINS.test(first)) return undefined;
  let text = first;
  let next = at + 1;
  for (; next < chunks.length && next - at < 9; next += 1) {
    const group = removeTrailing(chunks[next] ?? "");
    if (!/^[A-Z0-9]{1,4}$/.test(group) || !/\d/.test(group)) break;
    text += group;
    if (group.length < 4) {
      next += 1;
      break;
    }
  }
  return isAccount(text) && text.length >= 12 ? { text, chunks: next - at } : undefined;
}

/** Returns a path, or a file's name with its extension, in lower case; `undefined` if the chunk is neither. */
function readFile(chunk: string): string | undefined {
  if (/^\.{0,2}\/[^/]/.test(chunk) || /^[\p{L}\p{N}._-]+(?:\/[\p{L}\p{N}._-]+)+$/u.test(chunk)) return readPath(chunk);
  // `e.g` and `i.e` are not files.
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,200}\.[A-Za-z][A-Za-z0-9]{0,7}$/u.test(chunk) && chunk.length > 3
    ? chunk.toLowerCase()
    : undefined;
}

function readPath(chunk: string): string {
  return chunk
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
}
