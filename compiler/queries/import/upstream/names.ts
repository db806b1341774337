// Decides which names of a manifest can be on a page, and which can be names of files beside the page. No other text of
// a manifest reaches the page or a file name.

import { isName, NAME_FORM } from "../../../../lang/grammar/index.ts";
import { KINDS } from "../../../phases/bind/model/sessions.ts";

export const isPageName = isName;

export const PAGE_NAME = `a name of a page has ${NAME_FORM}`;

/** Returns whether the text names a kind of session and account. */
export function isKind(text: string): boolean {
  return KINDS.some((kind) => kind === text);
}

/**
 * Returns whether the text names one file in one folder: no separators, no leading dot, and nothing that a shell or a terminal
 * interprets.
 */
export function isFileName(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}$/.test(text) && !/\.m?js$/.test(text);
}

export const FILE_NAME =
  "a program beside a page has a name of letters, digits and _.+-, 64 at most, that begins with no dot and does not end with .js or .mjs";
