import { RESERVED, SHAPES } from "../grammar/index.ts";
import { UNSEEN } from "../text/index.ts";
import type { LabelNode, Name, Numeral, Reference, Words } from "../tree/index.ts";

const ESCAPED: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** What no page may hold as it is, as `visible` has it; lone surrogates cannot be written at all. */
const HIDDEN = new RegExp(`["\\\\]|${UNSEEN}`, "gu");

/** A text in quotes as the grammar reads it. */
export function quoted(value: string): string {
  return `"${value.replace(HIDDEN, (character) => ESCAPED[character] ?? unicodeEscape(character))}"`;
}

function unicodeEscape(character: string): string {
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
export function nameText({ text }: Pick<Name, "text">): string {
  return NAME.test(text) && !reserved.has(text) ? text : quoted(text);
}

export function referenceText({ parts }: Reference): string {
  return parts.map(nameText).join(".");
}

/** An exact decimal; in quotes, where they are an error, if it is none. */
export function numeralText({ decimal }: Pick<Numeral, "decimal">): string {
  return /^-?\d+(?:\.\d+)?$/.test(decimal) ? decimal : quoted(decimal);
}

export function becauseText(because: Words | undefined): string {
  return because === undefined ? "" : ` because ${quoted(because.value)}`;
}

export function labelText({ level, compartments, integrity }: LabelNode): string {
  const sets = compartments.length === 0 ? "" : `:{${compartments.map(nameText).join(", ")}}`;
  return `${nameText(level)}${sets}${integrity === undefined ? "" : `/${nameText(integrity)}`}`;
}
