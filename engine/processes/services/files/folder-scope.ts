// The part of a directory that a holder may reach: all of it, or the folders in the page's scope. Paths remain relative to the directory.

import { isUnder } from "../../../lib/policy/index.ts";
import { refuse } from "../../../lib/result/result.ts";
import { parseRelativePath } from "./path.ts";

/** Folders as lists of names from the directory down. */
export type Folders = readonly (readonly string[])[];

/** Returns why a holder of these folders may not use a path, or `undefined` if it may. A malformed path is refused where it is used. */
export function refuseOutside(folders: Folders | undefined, path: string): ReturnType<typeof refuse> | undefined {
  const segments = parseRelativePath(path);
  if (folders === undefined || !segments.ok) return undefined;
  return folders.some((folder) => isUnder(segments.value, folder))
    ? undefined
    : refuse("this is outside of what was granted");
}

/**
 * Returns the folders of each restricted holder, read from words such as `books=/reports:/drafts` with URL-encoded names. Returns
 * `undefined` if a word cannot be read, because an unreadable word must not give its holder unlimited access.
 */
export function readWithin(words: readonly string[]): ReadonlyMap<string, Folders> | undefined {
  const found = new Map<string, Folders>();
  for (const word of words) {
    const [, holder, list = ""] = /^([\w.-]+)=(\S+)$/.exec(word) ?? [];
    const folders = list.split(":").map(parseFolder);
    if (holder === undefined || found.has(holder)) return undefined;
    if (!folders.every((folder) => folder !== undefined)) return undefined;
    found.set(holder, folders);
  }
  return found;
}

function parseFolder(text: string): readonly string[] | undefined {
  if (!/^\/([\w.~!*'()-]|%[0-9A-F]{2}|\/)*$/.test(text)) return undefined;
  try {
    const segments = parseRelativePath(decodeURIComponent(text.slice(1)));
    return segments.ok ? segments.value : undefined;
  } catch {
    return undefined;
  }
}
