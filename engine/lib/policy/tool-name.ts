// Names of an MCP server's tools for pages and models. A server may name its tools freely. Pages write identifiers, and function calls of
// models take only letters, digits, `_` and `-`.

import { createHash } from "node:crypto";

/** Names that a page can write (`ID` of the grammar), short enough for every model's function calls. */
const WRITABLE = /^(?=.{1,64}$)[A-Za-z_]\w*(?:-\w+)*$/;
/** Visible ASCII and single blanks between: a name that looks like another one must not be a third. */
const LISTED = /^(?=.{1,128}$)[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const MOST_WORDS = 48;
const DIGITS = 8;

/**
 * Returns the name itself if a page can write it, or one made of it alone: what other tools are named changes nothing. `undefined` for a
 * name that is longer than 128 characters, or that nobody could read back.
 */
export function nameListedTool(name: string): string | undefined {
  if (WRITABLE.test(name)) return name;
  if (!LISTED.test(name)) return undefined;
  const words = name
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^(?=[0-9])/, "_")
    .slice(0, MOST_WORDS);
  return `${words.replace(/_$/, "")}_${createHash("sha256").update(name).digest("hex").slice(0, DIGITS)}`;
}
