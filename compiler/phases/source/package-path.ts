// Resolves a path that a page names, to a file in the folder of the root page.

import { posix } from "node:path";
import { OF_GIT } from "./codes.ts";
import type { Host } from "./host.ts";

/**
 * The file that a path on a page names, as a path without links; or the reason why there is no such file in the
 * package.
 */
export type ResolvedPath = { readonly real: string } | { readonly wrong: "outside" | "missing" };

/**
 * Returns the file of the path `value`. `folder` is the folder of the root page, and `page` is the page that names the
 * path; the links in both are resolved.
 */
export async function resolvePackageFile(
  host: Pick<Host, "realPath">,
  folder: string,
  value: string,
  page: string,
): Promise<ResolvedPath> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Some systems end a path at NUL or at a similar character.
  if (value === "" || posix.isAbsolute(value) || /[\u0000-\u001f\\]/.test(value)) return { wrong: "outside" };
  if (OF_GIT.test(value)) return { wrong: "outside" };
  const wanted = posix.join(posix.dirname(page), value);
  const real = isInPackage(folder, wanted) ? await host.realPath(wanted) : wanted;
  if (real === undefined) return { wrong: "missing" };
  return isInPackage(folder, real) ? { real } : { wrong: "outside" };
}

/** Returns whether a path is below the folder of the root page and not in a folder `.git`. */
export function isInPackage(folder: string, path: string): boolean {
  return path.startsWith(folder === "/" ? "/" : `${folder}/`) && !OF_GIT.test(posix.relative(folder, path));
}
