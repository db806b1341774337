// Expressions of Cedar as text, with what is always true or never true taken out.

export const ALWAYS = "true";
export const NEVER = "false";

export function joinAnd(parts: readonly string[]): string {
  return joinParts(parts, "&&", ALWAYS, NEVER);
}

export function joinOr(parts: readonly string[]): string {
  return joinParts(parts, "||", NEVER, ALWAYS);
}

function joinParts(parts: readonly string[], sign: "&&" | "||", neutral: string, ruling: string): string {
  const kept = [...new Set(parts)].filter((part) => part !== neutral);
  const [first = neutral, ...more] = kept;
  if (kept.includes(ruling)) return ruling;
  return more.length === 0 ? first : kept.map(wrapInBrackets).join(` ${sign} `);
}

/** Brackets too many where a text holds such a sign; never too few. */
function wrapInBrackets(part: string): string {
  return / (&&|\|\|) /.test(part) ? `(${part})` : part;
}

export function negate(part: string): string {
  if (part === ALWAYS) return NEVER;
  return part === NEVER ? ALWAYS : `!(${part})`;
}

/** A text of Cedar; what is not plain ASCII is written by its code point. */
export function quoteText(text: string): string {
  return `"${escapeText(text)}"`;
}

/** A pattern of `like`: `parts` stand for themselves, with anything between them. */
export function renderLikePattern(...parts: readonly string[]): string {
  return `"${parts.map((part) => escapeText(part).replaceAll("*", "\\*")).join("*")}"`;
}

function escapeText(text: string): string {
  return [...text.toWellFormed()]
    .map((one) => {
      if (one === '"' || one === "\\") return `\\${one}`;
      return one >= " " && one <= "~" ? one : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`;
    })
    .join("");
}

/** The words that Cedar takes for itself. */
const RESERVED = ["true", "false", "if", "then", "else", "in", "is", "like", "has"];

/** A name as an attribute is declared: bare where Cedar lets it be. */
export function renderAttribute(name: string): string {
  const bare = /^[A-Za-z_]\w*$/.test(name) && !RESERVED.includes(name) && !name.startsWith("__cedar");
  return bare ? name : quoteText(name);
}

/** The attribute of a record. */
export function renderAccess(record: string, name: string): string {
  const declared = renderAttribute(name);
  return declared === name ? `${record}.${name}` : `${record}[${declared}]`;
}
