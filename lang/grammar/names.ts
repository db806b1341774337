// Form of names on a page.

import { RESERVED, SHAPES } from "./vocabulary.ts";

/** In characters. `gate.NAME` has to fit where Linux keeps the name of a file. */
export const MAX_NAME = 64;

const NAME = new RegExp(`^${SHAPES.Name.source}$`);
const reserved: ReadonlySet<string> = new Set(RESERVED);

/** For messages about text that is not a name. */
export const NAME_FORM = `letters, digits and _, parts joined by -, at most ${MAX_NAME}, and not a word such as \`auto\``;

/** Returns whether a page can declare something by this name. */
export function isName(text: string): boolean {
  return text.length <= MAX_NAME && NAME.test(text) && !reserved.has(text);
}

/** Returns a name made of any text; `prefix` stands before what is not a name by itself. */
export function nameFrom(text: string, prefix: string): string {
  const name = trimUnderscores(trimUnderscores(text.replaceAll(/\W+/g, "_")).slice(0, MAX_NAME));
  if (isName(name) && /^[A-Za-z]/.test(name)) return name;
  return trimUnderscores(`${prefix}_${name}`.slice(0, MAX_NAME));
}

function trimUnderscores(text: string): string {
  return text.replaceAll(/^_+|_+$/g, "");
}
