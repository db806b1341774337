import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const PAGE = "system.cap";

/**
 * Returns the pages that the files may affect: the `system.cap` of each file's folder, and of every folder above. All files of a page are
 * in its folder or below. All paths are relative to `root`, in code-unit order.
 */
export function findPagesAbove(root: string, files: readonly string[]): readonly string[] {
  const folders = new Set(files.flatMap((file) => listFoldersAbove(dirname(file))));
  const pages = [...folders].map((folder) => join(folder, PAGE));
  return pages.filter((page) => existsSync(join(root, page))).sort();
}

function listFoldersAbove(folder: string): readonly string[] {
  if (isAbsolute(folder) || folder.startsWith("..")) return [];
  return folder === "." ? [folder] : [folder, ...listFoldersAbove(dirname(folder))];
}
