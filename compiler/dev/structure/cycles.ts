import type { Import } from "./imports.ts";

/** Returns the first `depth` names of a path: a folder, or the file itself if its path has no more names. */
export function placeAt(path: string, depth: number): string {
  return path.split("/").slice(0, depth).join("/");
}

/**
 * Shortens the paths to folders of one depth. Returns the imports between these folders that are part of a cycle, or
 * that lead from one cycle to another, in the given order. Returns none without a cycle. A file above this depth counts
 * as a folder.
 */
export function findCycles(imports: readonly Import[], depth: number): readonly Import[] {
  const between = imports
    .map(({ from, to }) => ({ from: placeAt(from, depth), to: placeAt(to, depth) }))
    .filter(({ from, to }) => from !== to);
  const distinct = [...new Map(between.map((each) => [`${each.from} ${each.to}`, each])).values()];
  return removeEnds(distinct);
}

/**
 * Repeatedly removes imports of folders that import nothing, and imports by folders that nothing imports. The imports
 * that are left form cycles, or lead from one cycle to another.
 */
function removeEnds(imports: readonly Import[]): readonly Import[] {
  const imported = new Set(imports.map(({ to }) => to));
  const importing = new Set(imports.map(({ from }) => from));
  const left = imports.filter(({ from, to }) => imported.has(from) && importing.has(to));
  return left.length === imports.length ? left : removeEnds(left);
}
