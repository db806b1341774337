import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const PAGE = "system.cap";

/**
 * The pages that something may have changed for: of each file the `system.cap` of its folder, or of the nearest one above it. All
 * that a page names lies in its folder. Paths are from `root`, and so are those that are given; in code-unit order.
 */
export function pagesAbove(root: string, files: readonly string[]): readonly string[] {
  return [...new Set(files.flatMap((file) => pageAbove(root, dirname(file)) ?? []))].sort();
}

function pageAbove(root: string, folder: string): string | undefined {
  const page = join(folder, PAGE);
  if (isAbsolute(folder) || folder.startsWith("..")) return undefined;
  if (existsSync(join(root, page))) return page;
  return folder === "." ? undefined : pageAbove(root, dirname(folder));
}
