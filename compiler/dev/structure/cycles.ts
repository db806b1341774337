import type { Import } from "./imports.ts";

/** Returns the first `depth` names of a path: the folder, or the file itself if it lies higher. */
export function placeAt(path: string, depth: number): string {
  return path.split("/").slice(0, depth).join("/");
}

/**
 * Returns the imports between places of one depth that are part of a cycle of such places, in their order; empty without a cycle. A
 * place is a folder with everything below it, or a file that lies higher.
 */
export function findCycles(imports: readonly Import[], depth: number): readonly Import[] {
  const between = imports
    .map(({ from, to }) => ({ from: placeAt(from, depth), to: placeAt(to, depth) }))
    .filter(({ from, to }) => from !== to);
  const distinct = [...new Map(between.map((each) => [`${each.from} ${each.to}`, each])).values()];
  return removeEnds(distinct);
}

/** Repeatedly removes imports of files that import nothing, and imports by files that no file imports; the rest forms cycles. */
function removeEnds(imports: readonly Import[]): readonly Import[] {
  const imported = new Set(imports.map(({ to }) => to));
  const importing = new Set(imports.map(({ from }) => from));
  const left = imports.filter(({ from, to }) => imported.has(from) && importing.has(to));
  return left.length === imports.length ? left : removeEnds(left);
}
