// Derives names for an MCP server's tools. A server may use any text as a name, but pages need identifiers. Models
// accept only letters, digits, `_` and `-` in the names of functions.

import { createHash } from "node:crypto";

/** Names that a page can write (`ID` of the grammar), short enough for every model's function calls. */
const WRITABLE = /^(?=.{1,64}$)[A-Za-z_]\w*(?:-\w+)*$/;
/** Visible ASCII with single blanks between. Other characters could make two different names look the same. */
const LISTED = /^(?=.{1,128}$)[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const MOST_WORDS = 48;
const DIGITS = 8;

/**
 * Returns the name itself if a page can write it, otherwise a name derived from it. The result does not depend on other
 * tools. Returns `undefined` for a name of more than 128 characters, or with characters outside of visible ASCII and
 * single blanks.
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
