// Renders expressions of Cedar as text, without parts that are always or never true.

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

/**
 * Wraps an expression in brackets if it needs them. If a text in the expression contains a bracket, the result may have
 * unnecessary brackets.
 */
function wrapInBrackets(part: string): string {
  return / (&&|\|\|) /.test(part) ? `(${part})` : part;
}

export function negate(part: string): string {
  if (part === ALWAYS) return NEVER;
  return part === NEVER ? ALWAYS : `!(${part})`;
}

/** Returns a text literal of Cedar. Characters outside of printable ASCII are written as their code points. */
export function quoteText(text: string): string {
  return `"${escapeText(text)}"`;
}

/** Returns a pattern for `like` that matches the texts in `parts` with any text between them. */
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

/** Reserved words of Cedar. */
const RESERVED = ["true", "false", "if", "then", "else", "in", "is", "like", "has"];

/** Returns a name in the form of an attribute declaration: without quotes if Cedar allows this. */
export function renderAttribute(name: string): string {
  const bare = /^[A-Za-z_]\w*$/.test(name) && !RESERVED.includes(name) && !name.startsWith("__cedar");
  return bare ? name : quoteText(name);
}

/** Returns an expression that reads an attribute of a record. */
export function renderAccess(record: string, name: string): string {
  const declared = renderAttribute(name);
  return declared === name ? `${record}.${name}` : `${record}[${declared}]`;
}
