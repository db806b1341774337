import { RESERVED, SHAPES } from "../grammar/index.ts";
import { UNSEEN } from "../text/index.ts";
import type { LabelNode, Name, Numeral, Reference, Words } from "../tree/index.ts";

const ESCAPED: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Characters that must be escaped in a text, as `escapeInvisible` defines them; lone surrogates cannot be written at all. */
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
 * A name; in quotes where it could not be read as one. Behind a dot and for arguments that is how it is written; where
 * only a name may stand, the quotes make an error of it, so that no name from elsewhere can bring a line of its own.
 */
export function renderName({ text }: Pick<Name, "text">): string {
  return NAME.test(text) && !reserved.has(text) ? text : quoteText(text);
}

export function renderReference({ parts }: Reference): string {
  return parts.map(renderName).join(".");
}

/** An exact decimal; in quotes, where they are an error, if it is none. */
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
