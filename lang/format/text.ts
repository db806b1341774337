import { RESERVED, SHAPES } from "../grammar/index.ts";
import { UNSEEN } from "../text/index.ts";
import type { LabelNode, Name, Numeral, Reference, Words } from "../tree/index.ts";

const ESCAPED: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Characters that a text in quotes must escape: the quote, the backslash and invisible characters. A page cannot contain a lone
 * surrogate, not even as an escape.
 */
const HIDDEN = new RegExp(`["\\\\]|${UNSEEN}`, "gu");

/** Returns a text in quotes that the grammar parses to the same value. */
export function quoteText(value: string): string {
  return `"${value.replace(HIDDEN, (character) => ESCAPED[character] ?? escapeUnicode(character))}"`;
}

function escapeUnicode(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

const NAME = new RegExp(`^${SHAPES.Name.source}$`);
const reserved: ReadonlySet<string> = new Set(RESERVED);

/**
 * Returns a name, in quotes if the parser would not read the text as a name. After a dot and for arguments, the parser accepts a name in
 * quotes. In other places the quotes cause an error, so that a name from a foreign text cannot add a line to a page.
 */
export function renderName({ text }: Pick<Name, "text">): string {
  return NAME.test(text) && !reserved.has(text) ? text : quoteText(text);
}

export function renderReference({ parts }: Reference): string {
  return parts.map(renderName).join(".");
}

/** Returns the text of a number. A value that is not an exact decimal is written in quotes, so that the parser refuses it. */
export function renderNumeral({ decimal }: Pick<Numeral, "decimal">): string {
  return /^-?\d+(?:\.\d+)?$/.test(decimal) ? decimal : quoteText(decimal);
}

export function renderBecause(because: Words | undefined): string {
  return because === undefined ? "" : ` because ${quoteText(because.value)}`;
}

export function renderLabel({ level, compartments, integrity }: LabelNode): string {
  const sets = compartments.length === 0 ? "" : `:{${compartments.map(renderName).join(", ")}}`;
  return `${renderName(level)}${sets}${integrity === undefined ? "" : `/${renderName(integrity)}`}`;
}
