// Finds folders in conditions whose text means something other than it seems to mean.

import { hasMixedAlphabets } from "../../../../lang/text/index.ts";

interface Misread {
  readonly why: string;
  readonly instead: string;
}

/**
 * Returns the reason for which a reader may misread the folder, or `undefined` if there is none. `..` and a missing
 * slash are not handled here, because a law reports them.
 */
export function findMisread(folder: string): Misread | undefined {
  const names = folder.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length === 0) return { why: "every path is in it", instead: "write the line without the condition" };
  return findMisreadNames(names) ?? findMisreadSpelling(folder);
}

function findMisreadNames(names: readonly string[]): Misread | undefined {
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (names.some(hasWildcard))
    return {
      why: "a wildcard is a character of the name here",
      instead: "write the folder itself, which includes its content",
    };
  if (has(/\{[^{},]*,[^{}]*\}/))
    return { why: "braces are characters of the name here", instead: "write one line for each folder" };
  if (has(/%[0-9a-f]{2}/i))
    return { why: "`%` and two digits are three characters of the name here", instead: "write the character itself" };
  if (names.some((name) => name !== name.trim()))
    return { why: "the space is a part of the name", instead: "leave the space out" };
  if (has(/\\/)) return { why: "a backslash is a character of the name here", instead: "write `/` between folders" };
  if (names[0] === "~" || has(/^\$\w|\$\{/))
    return {
      why: "variables are not replaced: it is a name",
      instead: "write the folder as an absolute path in the service",
    };
  return undefined;
}

/**
 * Returns whether the name contains `*`, `?` or `[ab]`. The function does not use a regular expression, because a name
 * may be as long as a page. The time of an expression could grow with the square of this length.
 */
function hasWildcard(name: string): boolean {
  const open = name.indexOf("[");
  return name.includes("*") || name.includes("?") || (open !== -1 && name.lastIndexOf("]") > open + 1);
}

function findMisreadSpelling(folder: string): Misread | undefined {
  if (hasMixedAlphabets(folder))
    return { why: "one word has letters of two alphabets", instead: "write the word in one alphabet" };
  if (folder.normalize("NFKC") !== folder)
    return {
      why: "it is written with rare forms of its letters",
      instead: "write the usual letters, as other programs do",
    };
  return undefined;
}
