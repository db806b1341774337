import { createToken, type TokenType } from "chevrotain";

/** Words that are never names. In a pattern or a fact they may be quoted instead: `Gate."consent"`. */
// biome-ignore format: one screen, not a hundred lines
export const RESERVED = [
  "auto", "consent", "stepUp", "forbidden", "in", "under", "and", "else", "per", "true", "false", "null", "where",
  "because",
] as const;

/** Words that the grammar knows and that are names everywhere else. */
// biome-ignore format: one screen, not a hundred lines
export const CONTEXTUAL = [
  "abstract", "accept", "after", "always", "answer", "arch", "arg", "as", "assert", "atLeast", "backend", "browser",
  "by", "call", "capnp", "category", "clearance", "compartment", "compartments", "confidentiality", "context", "cpu",
  "declassify", "embedder", "endorse", "enter", "exec", "expect", "extends", "flow", "for", "from", "gpu", "grant",
  "image", "infer", "ingress", "integrity", "interface", "into", "is", "kind", "label", "limit", "log", "mcp", "memory",
  "method", "model", "models", "money", "network", "never", "only", "passkey", "passphrase", "path", "permit", "phase",
  "principal", "principals", "program", "quantisation", "quota", "redact", "releases", "remember", "remote", "required",
  "returning", "returns", "scope", "sends", "service", "session", "ssh", "starts", "state", "storage", "stub",
  "suppress", "system", "task", "test", "text", "threads", "timeout", "to", "token", "tools", "trifecta", "truncate",
  "unattended", "ungated", "until", "url", "use", "version", "waive", "weights", "when", "widen", "without", "worker",
] as const;

/** Every name: a plain identifier or a contextual keyword. Abstract: the lexer never makes one of its own. */
export const Identifier = createToken({ name: "Identifier", label: "a name", pattern: /[A-Za-z_]\w*(?:-\w+)*/ });

/** A name with letters that are none of ours. It counts as a name, so that it is one message and no syntax error. */
export const StrangeName = createToken({
  name: "StrangeName",
  pattern: /[\w-]*[\u0080-\uffff][\w\u0080-\uffff-]*/,
  categories: [Identifier],
});
Identifier.LONGER_ALT = [StrangeName];

export type Keyword = (typeof RESERVED)[number] | (typeof CONTEXTUAL)[number];

function keyword(word: Keyword, reserved: boolean): TokenType {
  // `longer_alt` lets `forbidden-city` and `formal` be names although a keyword is their beginning.
  const categories = reserved ? [] : [Identifier];
  return createToken({
    name: `'${word}'`,
    label: `\`${word}\``,
    pattern: word,
    longer_alt: [StrangeName, Identifier],
    categories,
  });
}

const words = new Map<Keyword, TokenType>([
  ...RESERVED.map((word) => [word, keyword(word, true)] as const),
  ...CONTEXTUAL.map((word) => [word, keyword(word, false)] as const),
]);

/** The token of a keyword. */
export function word(text: Keyword): TokenType {
  return words.get(text) ?? Identifier;
}

export const NumberLiteral = createToken({
  name: "Number",
  label: "a number",
  pattern: /-?\d+(?:\.\d+)?(?:[kM](?!\w))?/,
});

export const StringLiteral = createToken({
  name: "String",
  label: "a text in quotes",
  pattern: /"(?:[^"\\\r\n]|\\[^\r\n])*"/,
});

/** Counts as a string, so that a forgotten quotation mark is one message and not a page of them. */
export const UnclosedString = createToken({
  name: "UnclosedString",
  pattern: /"(?:[^"\\\r\n]|\\[^\r\n])*\\?/,
  categories: [StringLiteral],
});

const symbol = (name: string, text: string): TokenType => createToken({ name, label: `\`${text}\``, pattern: text });

export const OpenBrace = symbol("OpenBrace", "{");
export const CloseBrace = symbol("CloseBrace", "}");
export const OpenBracket = symbol("OpenBracket", "[");
export const CloseBracket = symbol("CloseBracket", "]");
export const OpenParen = symbol("OpenParen", "(");
export const CloseParen = symbol("CloseParen", ")");
export const Comma = symbol("Comma", ",");
export const Colon = symbol("Colon", ":");
export const Slash = symbol("Slash", "/");
export const Star = symbol("Star", "*");
export const Range = symbol("Range", "..");
export const Dot = symbol("Dot", ".");
export const Equal = symbol("Equal", "==");
export const NotEqual = symbol("NotEqual", "!=");
export const LessOrEqual = symbol("LessOrEqual", "<=");
export const GreaterOrEqual = symbol("GreaterOrEqual", ">=");
export const Less = symbol("Less", "<");
export const Greater = symbol("Greater", ">");

export const DOCS = "docs";
export const COMMENTS = "comments";

const Blank = createToken({ name: "Blank", pattern: /[ \t\r\n]+/, group: "skipped", line_breaks: true });
/** Exactly three slashes: a line of four is a ruler in a comment. */
const Doc = createToken({ name: "Doc", pattern: /\/\/\/(?!\/)[^\r\n]*/, group: DOCS });
const Comment = createToken({ name: "Comment", pattern: /\/\/[^\r\n]*/, group: COMMENTS });

/** Longest first where one word begins another, or `forbidden` would be read as `for`. */
const longestFirst = [...words].sort(([left], [right]) => right.length - left.length).map(([, token]) => token);

/** In the order in which the lexer tries them. */
// biome-ignore format: one screen, not a hundred lines
export const TOKENS: readonly TokenType[] = [
  Blank, Doc, Comment, ...longestFirst, Identifier, NumberLiteral, StringLiteral, UnclosedString, StrangeName,
  OpenBrace, CloseBrace, OpenBracket, CloseBracket, OpenParen, CloseParen, Comma, Colon, Slash, Star, Range, Dot,
  Equal, NotEqual, LessOrEqual, GreaterOrEqual, Less, Greater,
]
