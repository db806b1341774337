// Opens a folder that the person chooses: its page for the editor, and the files that the page names. The files never leave the browser.

import type { FileBeside } from "../protocol.ts";

const MOST_FILES = 500;
const MOST_BYTES = 8 * 1024 * 1024;
/**
 * Maximum size of a file in bytes. The limit leaves out weights and programs, whose bytes the compiler would not read
 * for a page.
 */
const LONGEST_FILE = 1024 * 1024;

interface OpenedFolder {
  /** Path of the page, or `undefined` if the folder has none. */
  readonly page: string | undefined;
  readonly beside: readonly FileBeside[];
  /** Paths of the files that were not read, because they are too large or there are too many files. */
  readonly left: readonly string[];
}

export async function openFolder(files: readonly File[]): Promise<OpenedFolder> {
  let page: string | undefined;
  let total = 0;
  const beside: FileBeside[] = [];
  const left: string[] = [];
  for (const file of files) {
    const path = file.webkitRelativePath.split("/").slice(1).join("/");
    if (path.startsWith(".git/") || path.startsWith("node_modules/")) continue;
    const isPage = path === "system.cap";
    const isTooMuch = !isPage && (total + file.size > MOST_BYTES || beside.length === MOST_FILES);
    if (file.size > LONGEST_FILE || isTooMuch) {
      left.push(path);
      continue;
    }
    total += file.size;
    if (isPage) page = await file.text();
    else beside.push({ path, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return { page, beside, left };
}
