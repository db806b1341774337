// Names of an MCP server's tools for pages and models. A server may name its tools freely. Pages write identifiers, and function calls of
// models take only letters, digits, `_` and `-`.

import { createHash } from "node:crypto";

/** Names that a page can write (`ID` of the grammar), short enough for every model's function calls. */
const WRITABLE = /^(?=.{1,64}$)[A-Za-z_]\w*(?:-\w+)*$/;
/**
 * Names of visible ASCII characters, with single blanks between them. With other characters, two different names could
 * look the same.
 */
const LISTED = /^(?=.{1,128}$)[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const MOST_WORDS = 48;
const DIGITS = 8;

/**
 * Returns the name itself if a page can write it. Otherwise derives a name from this name alone, so that the names of
 * other tools do not change it. Returns `undefined` for a name above 128 characters, or for a name that a person could
 * not read correctly.
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
