import { posix } from "node:path";
import type { Fix } from "../../../lang/diagnostics/index.ts";
import type { CertainFixes } from "./certain.ts";

/** Fixes that may be made on one page without asking, and the files of the page. */
export interface PageFixes {
  readonly certain: CertainFixes;
  /** Folder of the root page, as an absolute path with resolved links. */
  readonly folder: string;
  /** Returns whether the page reads the file with this absolute path. */
  readonly reads: (file: string) => boolean;
}

/**
 * Returns the fixes of each file, by absolute path. A fix of a file is returned only if every page that reads the file
 * proposes it. For a page that does not compile, either all of its fixes are returned or none, because the page
 * compiles only with all of them.
 */
export function selectAgreedFixes(pages: readonly PageFixes[]): ReadonlyMap<string, readonly Fix[]> {
  const left = pages.map((page) => ({
    ...page,
    fixes: new Map(page.certain.fixes.map((fix) => [makeKey(page, fix), fix])),
  }));
  for (let changed = true; changed; ) {
    changed = false;
    for (const page of left) {
      for (const [key, fix] of page.fixes) {
        const file = resolveFile(page, fix);
        if (left.every((other) => !other.reads(file) || other.fixes.has(key))) continue;
        if (page.certain.kind === "reading") page.fixes.clear();
        else page.fixes.delete(key);
        changed = true;
      }
    }
  }
  const unique = new Map(left.flatMap((page) => [...page.fixes].map(([key, fix]) => [key, { page, fix }] as const)));
  const byFile = Map.groupBy(unique.values(), ({ page, fix }) => resolveFile(page, fix));
  return new Map([...byFile].map(([file, fixes]) => [file, fixes.map(({ fix }) => fix)]));
}

function resolveFile({ folder }: PageFixes, { span }: Fix): string {
  return posix.join(folder, span.source.path);
}

/**
 * Returns the key of a fix. The key contains the text of the file, because a position means something else in another
 * text.
 */
function makeKey(page: PageFixes, fix: Fix): string {
  const { span, replacement } = fix;
  return JSON.stringify([resolveFile(page, fix), span.start, span.end, replacement, span.source.text]);
}
