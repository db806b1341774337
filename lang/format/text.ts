import type { LabelNode, Words } from "../tree/index.ts";

const ESCAPED: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text in quotes as the grammar reads it. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\\n\r\t]/g, (character) => ESCAPED[character] ?? character)}"`;
}

export function becauseText(because: Words | undefined): string {
  return because === undefined ? "" : ` because ${quoted(because.value)}`;
}

export function labelText({ level, compartments, integrity }: LabelNode): string {
  const sets = compartments.length === 0 ? "" : `:{${compartments.map((name) => name.text).join(", ")}}`;
  return `${level.text}${sets}${integrity === undefined ? "" : `/${integrity.text}`}`;
}
