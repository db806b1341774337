// Finds links and e-mail addresses inside a text. In doubt this module finds too much: text that some program may show as a link counts
// as a link, so that `every(domain(urls(body)))` misses no link. Nothing is decoded: a link that is written with escapes of another
// format is not found.
//
// The text may be hostile. Each character is read a bounded number of times, and the number of finds is bounded. If there are more finds,
// the result is `undefined`, and the caller takes the strictest mode.

/** Maximum number of literals found in one text. */
const MOST_FOUND = 256;
/** Maximum characters of one literal. */
const LONGEST = 2048;

/**
 * Matches blanks and marks between words. Typographic quotes are written as escapes, because a program is ASCII and
 * esbuild does not change patterns.
 */
const BLANKS_AND_MARKS = /[\s"'`\u201c\u201d\u2018\u2019\u201e\u00ab\u00bb\u2039\u203a<>()[\]{}|]+/u;
/** Invisible characters: a link that contains them is still a link. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

function splitChunks(text: string): readonly string[] {
  return text
    .normalize("NFKC")
    .replace(IGNORABLE, "")
    .split(BLANKS_AND_MARKS)
    .filter((chunk) => chunk.includes(".") || chunk.includes(":") || chunk.includes("/") || chunk.includes("@"));
}

const SCHEME = /[a-z0-9+.-]/iu;
const LONGEST_SCHEME = 32;
/** Schemes after which a browser accepts a colon without slashes. */
const WEB = /(?:https?|ftp|wss?)$/iu;

/**
 * Returns the positions in a chunk (a piece of text between blanks and marks) at which links with a scheme begin. Any
 * word before a colon and two slashes or backslashes counts as a scheme.
 */
function findBegins(chunk: string): readonly number[] {
  const begins: number[] = [];
  for (let colon = chunk.indexOf(":"); colon >= 0; colon = chunk.indexOf(":", colon + 1)) {
    let begin = colon;
    while (begin > 0 && colon - begin < LONGEST_SCHEME && SCHEME.test(chunk.charAt(begin - 1))) begin -= 1;
    const run = chunk.slice(begin, colon);
    const first = run.search(/[a-z]/iu);
    const web = WEB.exec(run)?.index ?? -1;
    if (first >= 0 && /^[/\\]{2}/.test(chunk.slice(colon + 1, colon + 3))) begins.push(begin + first);
    else if (web >= 0) begins.push(begin + web);
  }
  return begins;
}

/** Matches a link without a scheme: it begins with `www.`, or has a path, a port or a well-known top-level domain. */
const BARE = /^(?:[/\\]{2})?((?:[\p{L}\p{N}_-]{1,63}\.){1,32}[\p{L}\p{N}-]{1,63}\.?)(?=$|[/\\?#:,;!&=*~])/u;

/**
 * Returns the links in a text as they are written; a link without a scheme gets `https://`. Returns `undefined` if
 * there are too many links, or if one is too long.
 */
export function findUrls(text: string): readonly string[] | undefined {
  const found: string[] = [];
  for (const chunk of splitChunks(text)) {
    const begins = findBegins(chunk);
    const [first = chunk.length] = begins;
    for (const begin of begins) found.push(trimEnd(chunk.slice(begin)));
    // Text before the first scheme may itself be a link: `evil.example/,https://good.example`.
    const before = chunk.slice(0, first);
    for (const part of [...before.split(/[,;!=&*~]/u), ...cutUsers(before)]) {
      const bare = readBareUrl(part);
      if (bare !== undefined) found.push(bare);
    }
    if (found.length > MOST_FOUND) return undefined;
  }
  return found.some(({ length }) => length > LONGEST) ? undefined : found;
}

const USER = /[/\\]{2}[^/\\?#]{1,256}@/gu;

/** Returns the links that have no scheme and name a user, with the user removed: `//user@evil.example` becomes `//evil.example`. */
function cutUsers(text: string): readonly string[] {
  return [...text.matchAll(USER)].map(({ 0: user, index }) => `//${text.slice(index + user.length)}`);
}

/** Removes punctuation that ends a sentence and so is not a part of the link before it. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ".,;:!?*_~".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function readBareUrl(part: string): string | undefined {
  const [whole, host] = BARE.exec(part) ?? [];
  if (whole === undefined || host === undefined) return undefined;
  const rest = part.slice(whole.length);
  const isLink = whole.length > host.length || /^www\./iu.test(host) || /^[/\\?#:]./u.test(rest) || isWellKnown(host);
  return isLink ? `https://${trimEnd(part.slice(whole.length - host.length))}` : undefined;
}

/** Top-level domains with which a bare name counts as a link. Extensions of files are not among these domains. */
const TOP_LEVEL: ReadonlySet<string> = new Set(
  (
    "com org net edu gov mil int info biz io ai app dev co me tv cc xyz online site shop store club top icu live link click page " +
    "cloud tech space website news blog work world life today email one pro eu uk de fr es it nl ch at be se no dk fi pl cz pt ie " +
    "us ca au nz jp cn in br ru ua za mx ar kr tw hk sg tr gr hu ro bg hr si sk lt lv ee is li lu to ly gg gl sh su ws example"
  ).split(" "),
);

function isWellKnown(host: string): boolean {
  const bare = host.endsWith(".") ? host.slice(0, -1) : host;
  const top = bare.slice(bare.lastIndexOf(".") + 1).toLowerCase();
  return (
    TOP_LEVEL.has(top) || top.startsWith("xn--") || /[^\p{ASCII}]/u.test(top) || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(bare)
  );
}

const LOCAL = /[^@,;:\\/=?&]/u;
const HOST = /[\p{L}\p{N}._-]/u;
const LONGEST_LOCAL = 64;
const LONGEST_HOST = 253;

/** Returns the e-mail addresses in a text, in lower case. Returns `undefined` if there are too many addresses. */
export function findAddresses(text: string): readonly string[] | undefined {
  const found: string[] = [];
  for (const chunk of splitChunks(text)) {
    for (let at = chunk.indexOf("@"); at >= 0; at = chunk.indexOf("@", at + 1)) {
      const address = readAddressAround(chunk, at);
      if (address !== undefined) found.push(address);
      if (found.length > MOST_FOUND) return undefined;
    }
  }
  return found;
}

function readAddressAround(chunk: string, at: number): string | undefined {
  let begin = at;
  while (begin > 0 && at - begin <= LONGEST_LOCAL && LOCAL.test(chunk.charAt(begin - 1))) begin -= 1;
  let end = at + 1;
  while (end < chunk.length && end - at <= LONGEST_HOST + 1 && HOST.test(chunk.charAt(end))) end += 1;
  while (end > at + 1 && "._-".includes(chunk.charAt(end - 1))) end -= 1;
  return begin === at || end === at + 1 ? undefined : chunk.slice(begin, end).toLowerCase();
}
