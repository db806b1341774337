import { RESERVED } from "../grammar/index.ts";
import type { LabelNode, Name, Reference, Words } from "../tree/index.ts";

const ESCAPED: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text in quotes as the grammar reads it. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\\n\r\t]/g, (character) => ESCAPED[character] ?? character)}"`;
}

const reserved: ReadonlySet<string> = new Set(RESERVED);

/** A name behind a dot or of an argument: in quotes where it could not be read as a name. */
export function memberText({ text }: Name): string {
  return /^[A-Za-z_]\w*(?:-\w+)*$/.test(text) && !reserved.has(text) ? text : quoted(text);
}

export function referenceText({ parts }: Reference): string {
  return parts.map(memberText).join(".");
}

export function becauseText(because: Words | undefined): string {
  return because === undefined ? "" : ` because ${quoted(because.value)}`;
}

export function labelText({ level, compartments, integrity }: LabelNode): string {
  const sets = compartments.length === 0 ? "" : `:{${compartments.map((name) => name.text).join(", ")}}`;
  return `${level.text}${sets}${integrity === undefined ? "" : `/${integrity.text}`}`;
}
