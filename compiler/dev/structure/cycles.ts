import type { Import } from "./imports.ts";

/**
 * Returns the first `depth` names of a path. The result is a folder, or the file itself if it is in a higher folder.
 */
export function placeAt(path: string, depth: number): string {
  return path.split("/").slice(0, depth).join("/");
}

/**
 * Returns the imports that are part of a cycle between places of the given depth, in the order of `imports`. The list
 * is empty if there is no cycle. A place is a folder with all files below it, or a single file in a higher folder.
 */
export function findCycles(imports: readonly Import[], depth: number): readonly Import[] {
  const between = imports
    .map(({ from, to }) => ({ from: placeAt(from, depth), to: placeAt(to, depth) }))
    .filter(({ from, to }) => from !== to);
  const distinct = [...new Map(between.map((each) => [`${each.from} ${each.to}`, each])).values()];
  return removeEnds(distinct);
}

/**
 * Returns the imports that form cycles. It repeatedly removes imports of files that import nothing, and imports by
 * files that no file imports.
 */
function removeEnds(imports: readonly Import[]): readonly Import[] {
  const imported = new Set(imports.map(({ to }) => to));
  const importing = new Set(imports.map(({ from }) => from));
  const left = imports.filter(({ from, to }) => imported.has(from) && importing.has(to));
  return left.length === imports.length ? left : removeEnds(left);
}
