// Defines the form of names on a page.

import { RESERVED, SHAPES } from "./vocabulary.ts";

/** Maximum characters of a name. `gate.NAME` must fit into a file name of Linux. */
export const MAX_NAME = 64;

const NAME = new RegExp(`^${SHAPES.Name.source}$`);
const reserved: ReadonlySet<string> = new Set(RESERVED);

/** Description of valid names, for messages. */
export const NAME_FORM = `letters, digits and _, parts joined by -, at most ${MAX_NAME}, and not a word such as \`auto\``;

/** Returns whether a page can declare something by this name. */
export function isName(text: string): boolean {
  return text.length <= MAX_NAME && NAME.test(text) && !reserved.has(text);
}

/** Returns a name made from any text, with `prefix` before it if it would not be a valid name otherwise. */
export function nameFrom(text: string, prefix: string): string {
  const name = trimUnderscores(trimUnderscores(text.replaceAll(/\W+/g, "_")).slice(0, MAX_NAME));
  if (isName(name) && /^[A-Za-z]/.test(name)) return name;
  return trimUnderscores(`${prefix}_${name}`.slice(0, MAX_NAME));
}

function trimUnderscores(text: string): string {
  return text.replaceAll(/^_+|_+$/g, "");
}
