import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const PAGE = "system.cap";

/**
 * The pages that something may have changed for: of each file the `system.cap` of its folder, and of every one above it. All that a
 * page names lies in its folder or below it. Paths are from `root`, and so are those that are given; in code-unit order.
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
