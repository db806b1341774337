// All words and signs of the language: the scanner and both parsers use this list, and the grammar for editors is generated
// from it.

/** Modes of a call, from the loosest to the strictest. */
export const MODES = ["auto", "consent", "stepUp", "forbidden"] as const;

/** Words that are never names. In a pattern or a fact they may be quoted instead: `Gate."consent"`. */
// biome-ignore format: the formatter would put each word on a line of its own
export const RESERVED = [
  ...MODES, "in", "under", "and", "else", "per", "true", "false", "null", "where", "because",
] as const;

/** Words that the grammar uses and that are names everywhere else. */
// biome-ignore format: the formatter would put each word on a line of its own
export const CONTEXTUAL = [
  "above", "absent", "abstract", "accept", "after", "always", "answer", "arch", "arg", "as", "assert", "atLeast", "audit", "backend", "browser",
  "by", "call", "capnp", "category", "clearance", "compartment", "compartments", "confidentiality", "context", "cpu",
  "declassify", "digests", "directly", "embedder", "endorse", "endsWith", "enter", "exec", "expect", "exported", "extends", "flow", "for", "from", "giving",
  "gpu", "grant", "has", "image", "infer", "ingress", "inherit", "integrity", "interface", "into", "is", "keep", "kind", "label", "let", "limit", "log", "login",
  "matches", "mcp", "memory", "method", "missed", "model", "models", "money", "network", "never", "not", "only", "or", "passkey", "passphrase",
  "paste", "path", "permit", "phase", "price", "principal", "principals", "program", "quantisation", "quota", "redact",
  "releases", "remember", "remote", "required", "requires", "returning", "returns", "say", "says", "scope", "sends", "served", "service",
  "session", "shipped",
  "ssh", "starts", "startsWith", "state", "storage", "strong", "stub",
  "suppress", "system", "task", "test", "text", "threads", "timeout", "to", "token", "tools", "trifecta", "truncate",
  "unattended", "ungated", "until", "url", "use", "version", "waive", "weights", "when", "widen", "without", "worker",
] as const;

export type Keyword = (typeof RESERVED)[number] | (typeof CONTEXTUAL)[number];

/** Signs; if one begins with another, the longer one comes first. */
export const SIGNS = [
  ...(["..", "==", "!=", "<=", ">=", "<", ">", "=", "{", "}", "[", "]", "(", ")", ",", ":", "/", "*", "."] as const),
] as const;

type Sign = (typeof SIGNS)[number];

/**
 * Kinds of tokens that the scanner produces. `StrangeName` is a name with letters outside of ASCII, and `UnclosedString` a text
 * without its closing quotation mark. The parsers treat these two kinds as a name and as a text. So such a token gives one message
 * from the scanner, and no syntax error. `End` follows the last token.
 */
export type Kind = Keyword | Sign | "Name" | "StrangeName" | "Number" | "String" | "UnclosedString" | "End";

/** Kinds of tokens; the code of a kind is its index. The codes of kinds that can be a name come first. */
// biome-ignore format: the formatter would put each word on a line of its own
export const KINDS: readonly Kind[] = [
  "Name", ...CONTEXTUAL, "StrangeName", ...RESERVED, "Number", "String", "UnclosedString", ...SIGNS, "End",
];

const CODES: ReadonlyMap<Kind, number> = new Map(KINDS.map((kind, code) => [kind, code]));

/** Returns the code of a kind, which is its index in `KINDS` and fits into a byte. */
export function getCode(kind: Kind): number {
  return CODES.get(kind) ?? KINDS.length;
}

/** Largest code of a token that may be a name. The codes up to it are those of all names, and of all words that may also be names. */
export const LAST_NAME = getCode("StrangeName");

/** Patterns of names, numbers, texts and comments. The scanner is written by hand, and tests compare it with the patterns. */
export const SHAPES = {
  Name: /[A-Za-z_]\w*(?:-\w+)*/,
  StrangeName: /[\w-]*[\u0080-\uffff][\w\u0080-\uffff-]*/,
  Number: /-?\d+(?:\.\d+)?(?:[kM](?!\w))?/,
  String: /"(?:[^"\\\r\n]|\\[^\r\n])*"/,
  UnclosedString: /"(?:[^"\\\r\n]|\\[^\r\n])*\\?/,
  /** Doc comment: exactly three slashes, because a line of four or more slashes separates parts of a page. */
  doc: /\/\/\/(?!\/)[^\r\n]*/,
  comment: /\/\/[^\r\n]*/,
} as const;
