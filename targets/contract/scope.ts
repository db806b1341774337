// Parses `scope`: the servers that a service or a backend may contact. Each word of a scope states one fact. An unreadable word is
// reported, and its meaning is never guessed.

import { accept, type Result, refuse } from "../../engine/lib/result/result.ts";

/** Schemes of a syslog collector. */
type SyslogScheme = "syslog" | "syslog+tls";

/** The port of RFC 5425; there is no usual port for plain TCP. */
const SYSLOG_TLS_PORT = 6514;

/** Destination to which requests may go. */
export interface ScopePlace {
  readonly scheme: "http" | "https" | SyslogScheme;
  /** Host in lower case; "*" means any name that resolves only to public addresses. */
  readonly host: string;
  readonly port: number;
  /** Path prefix of all requests. */
  readonly path: string;
}

/** An endpoint of the egress process: the words of the scope on the page, with defaults for missing words. */
export interface Scope {
  /** Addresses as written on the page; empty if the page names no server. */
  readonly places: readonly ScopePlace[];
  /** Methods in this order: GET, POST. */
  readonly methods: readonly ("GET" | "POST")[];
  /** Maximum bytes of the body of a request; `responseBytes` is the maximum for the body of a response. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly milliseconds: number;
  /** SHA-256 of the public keys that the server may have. */
  readonly pins: readonly Uint8Array[];
  /** Name of the credential that is sent with each request, without `vault.`; empty if there is none. */
  readonly secret: string;
  /** Whether the credential may be sent without TLS. */
  readonly secretInTheClear: boolean;
}

interface Unreadable {
  /** Index of the word in the scope. */
  readonly index: number;
  readonly why: string;
  readonly correction?: Correction;
}

/**
 * The correction of a refused word, if its intention is clear: a digest in a form other than a pin, or an address with
 * a query.
 */
export type Correction =
  | { readonly kind: "pin"; readonly advice: string }
  /** An address with a query, split into the address and the text with which the argument `path` of a call begins. */
  | { readonly kind: "query"; readonly address: string; readonly path: string };

type ReadWord = Result<Word> & { readonly correction?: Correction };

/** Maximum bytes of an answer: as JSON it must fit into one frame. */
const MOST_ANSWER = 512 * 1024;
const MOST_SECONDS = 300;
const ROOT_ONLY = "*";
const METHODS = ["GET", "POST"] as const;

type Word =
  | { readonly kind: "place"; readonly place: ScopePlace }
  | { readonly kind: "method"; readonly method: "GET" | "POST" }
  | { readonly kind: "size"; readonly of: "answers" | "bodies"; readonly bytes: number }
  | { readonly kind: "within"; readonly milliseconds: number }
  | { readonly kind: "pin"; readonly pin: Uint8Array }
  | { readonly kind: "token"; readonly secret: string; readonly isInTheClear: boolean };

interface ScopeRead {
  readonly scope: Scope;
  readonly unreadable: readonly Unreadable[];
}

/** Reads the words of a scope. Unreadable words are returned separately and have no effect. */
export function readScope(written: readonly string[]): ScopeRead {
  return createScope(written.map(parseWord));
}

/** Reads the scope of the audit's collector, which may also be a syslog address. */
export function readCollector(written: readonly string[]): ScopeRead {
  return createScope(written.map((text) => (text.startsWith("syslog") ? parseSyslogPlace(text) : parseWord(text))));
}

export function isSyslog({ scheme }: Pick<ScopePlace, "scheme">): boolean {
  return scheme === "syslog" || scheme === "syslog+tls";
}

function parseSyslogPlace(text: string): ReadWord {
  const [, tls, host = "", digits] = /^syslog(\+tls)?:\/\/([^/:]+)(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  if (!isServer(host)) return refuse("a collector of syslog is `syslog+tls://HOST:PORT` or `syslog://HOST:PORT`");
  const scheme = tls === undefined ? "syslog" : "syslog+tls";
  if (digits === undefined && scheme === "syslog")
    return refuse("syslog without TLS has no port of its own: say which");
  const port = digits === undefined ? SYSLOG_TLS_PORT : Number(digits);
  return port > 65_535
    ? refuse("a port is 1 to 65535")
    : accept({ kind: "place", place: { scheme, host, port, path: "/" } });
}

function createScope(read: readonly ReadWord[]): ScopeRead {
  const unreadable = read.flatMap((word, index): Unreadable[] =>
    word.ok ? [] : [{ index, why: word.reason, ...(word.correction && { correction: word.correction }) }],
  );
  const words = read.flatMap((word) => (word.ok ? [word.value] : []));
  const selectWords = <K extends Word["kind"]>(kind: K) =>
    words.filter((word): word is Extract<Word, { kind: K }> => word.kind === kind);
  const selectSizes = (kind: "answers" | "bodies") => selectWords("size").filter((word) => word.of === kind);
  const methods = selectWords("method").map(({ method }) => method);
  const [token] = selectWords("token");
  const scope = {
    places: selectWords("place").map(({ place }) => place),
    methods: METHODS.filter((method) => methods.length === 0 || methods.includes(method)),
    requestBytes: selectSizes("bodies").at(-1)?.bytes ?? 64 * 1024,
    responseBytes: selectSizes("answers").at(-1)?.bytes ?? 256 * 1024,
    milliseconds: selectWords("within").at(-1)?.milliseconds ?? 20_000,
    pins: selectWords("pin").map(({ pin }) => pin),
    secret: token?.secret ?? "",
    secretInTheClear: token?.isInTheClear ?? false,
  };
  return { scope, unreadable: [...unreadable, ...findFurtherTokens(read)] };
}

/**
 * Returns all credentials after the first. They are errors, because a request contains only one credential, and the
 * choice would be unclear.
 */
function findFurtherTokens(read: readonly ReadWord[]): readonly Unreadable[] {
  const tokens = read.flatMap((word, index) => (word.ok && word.value.kind === "token" ? [index] : []));
  return tokens.slice(1).map((index) => ({ index, why: "a request takes one credential along" }));
}

/** Returns the name in a reference `vault.NAME` to a sealed credential, or `undefined` if the text is not such a reference. */
export function findSecret(reference: string): string | undefined {
  return /^vault\.([A-Za-z_]\w*(?:-\w+)*)$/.exec(reference)?.[1];
}

/**
 * Returns the destination that one address states, for example `https://api.example/v1`. Returns `undefined` if the
 * address is invalid, or if it is `https://*` and so allows any public host.
 */
export function placeIn(text: string): ScopePlace | undefined {
  const place = parsePlace(text);
  return place.ok && place.value.host !== ROOT_ONLY ? place.value : undefined;
}

function parseWord(text: string): ReadWord {
  if (text === "GET" || text === "POST") return accept({ kind: "method", method: text });
  const [, size, count = "", unit = ""] = /^(answers|bodies) of (\d{1,6}) (KiB|B)$/.exec(text) ?? [];
  if (size === "answers" || size === "bodies") return parseSize(size, Number(count) * (unit === "KiB" ? 1024 : 1));
  const [, seconds] = /^within (\d{1,3}) s$/.exec(text) ?? [];
  if (seconds !== undefined) return parseTimeout(Number(seconds));
  if (isPinText(text)) return parsePin(text);
  const [, reference, clear] = /^token (\S{1,80})( in the clear)?$/.exec(text) ?? [];
  if (reference !== undefined) return parseToken(reference, clear !== undefined ? "clear" : "tls");
  const place = parsePlace(text);
  return place.ok ? accept({ kind: "place", place: place.value }) : { ...place, ...correctQuery(text) };
}

/** Shell command that prints the digest of a server's public key in the form of a pin. */
const PIN_COMMAND =
  "openssl s_client -connect HOST:443 -servername HOST </dev/null | openssl x509 -noout -pubkey | openssl pkey -pubin -outform DER | openssl sha256";

const PIN = /^pin sha256:([0-9a-f]{64})$/;
/**
 * A digest of a key as curl (`sha256//`), Android (`sha256/`) or the HTTP header (`pin-sha256="…"`) writes it, in
 * base64. A page may not use these forms.
 */
const BASE64_PIN = /^(?:pin[ -])?sha256(?::|\/\/?|=)"?([A-Za-z0-9+/]{43}=)"?$/;
/** A digest as certificate viewers and `openssl x509 -fingerprint` write it. A page may not use this form. */
const FINGERPRINT = /^(?:pin )?sha-?256(?: fingerprint)?[:=] ?([0-9a-f]{64}|[0-9a-f]{2}(?::[0-9a-f]{2}){31})$/i;

function isPinText(text: string): boolean {
  return /^(?:pin\b|sha-?256\b)/i.test(text);
}

function parsePin(text: string): ReadWord {
  const [, digits] = PIN.exec(text) ?? [];
  if (digits !== undefined) return accept({ kind: "pin", pin: Buffer.from(digits, "hex") });
  const refusePin = (reason: string, advice: string): ReadWord => ({
    ...refuse(reason),
    correction: { kind: "pin", advice },
  });
  const [, base64] = BASE64_PIN.exec(text) ?? [];
  if (base64 !== undefined)
    return refusePin(
      "the digest of a pin is written in hexadecimal digits, and not in base64",
      `write \`"pin sha256:${Buffer.from(base64, "base64").toString("hex")}"\``,
    );
  return refusePin(
    FINGERPRINT.test(text)
      ? "a pin has lower-case digits without colons, and is the digest of the public key, not of the certificate"
      : "a pin is `pin sha256:` and 64 hexadecimal digits, the SHA-256 of the server's public key in DER",
    `write \`"pin sha256:DIGITS"\`; this command prints the digits: \`${PIN_COMMAND}\``,
  );
}

/**
 * Returns whether a word of a scope contains a whole digest of a public key. The digest may be a pin, or in a form that
 * `readScope` refuses and corrects.
 */
export function isPinDigest(text: string): boolean {
  return [PIN, BASE64_PIN, FINGERPRINT].some((form) => form.test(text));
}

/** Returns the correction of an address with a query, or an empty record if there is none. */
function correctQuery(text: string): { readonly correction?: Correction } {
  const [, address = "", query] = /^(https?:\/\/[^?#\s]+)\?([^#\s]*)$/.exec(text) ?? [];
  const place = placeIn(address);
  if (query === undefined || place === undefined) return {};
  return { correction: { kind: "query", address, path: `${place.path}?${query}` } };
}

function parseToken(reference: string, transport: "clear" | "tls"): Result<Word> {
  const secret = findSecret(reference);
  return secret === undefined
    ? refuse("a credential is `vault.NAME`")
    : accept({ kind: "token", secret, isInTheClear: transport === "clear" });
}

function parseSize(of: "answers" | "bodies", bytes: number): Result<Word> {
  return bytes > 0 && bytes <= MOST_ANSWER
    ? accept({ kind: "size", of, bytes })
    : refuse("1 B to 512 KiB can be carried");
}

function parseTimeout(seconds: number): Result<Word> {
  const milliseconds = seconds * 1000;
  return seconds > 0 && seconds <= MOST_SECONDS
    ? accept({ kind: "within", milliseconds })
    : refuse("a request has 1 s to 300 s");
}

/**
 * Parses an address. The address must be written exactly as URL parsers normalize it. An address in another form is
 * refused, and the message shows the normal form.
 */
function parsePlace(text: string): Result<ScopePlace> {
  const any = /^(https?):\/\/\*$/.exec(text);
  if (any?.[1] === "http" || any?.[1] === "https") {
    return accept({ scheme: any[1], host: ROOT_ONLY, port: getPort(any[1], ""), path: "/" });
  }
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    return refuse("it is no address, method, size, time, pin or token");
  const { protocol, hostname, port, pathname, search, hash, username, password, href } = new URL(text);
  if (`${search}${hash}${username}${password}` !== "")
    return refuse(
      search === ""
        ? "an address of a scope is a scheme, a server and a path"
        : "a scope ends at the path, without a query",
    );
  if (href !== text && href !== `${text}/`) return refuse(`it would be read as ${href}`);
  if (!isServer(hostname)) return refuse("a server is a name or an IPv4 address");
  if (/%|\/\//.test(pathname)) return refuse("a path of a scope has plain names");
  const scheme = protocol === "https:" ? "https" : "http";
  return accept({ scheme, host: hostname, port: getPort(scheme, port), path: pathname });
}

function getPort(scheme: string, port: string): number {
  return port === "" ? (scheme === "https" ? 443 : 80) : Number(port);
}

function isServer(host: string): boolean {
  return host.length <= 253 && host.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
}

/**
 * Returns whether a host is an IPv4 address, as four decimal numbers in the form that URL parsers recognize.
 */
export function isAddress(host: string): boolean {
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}
