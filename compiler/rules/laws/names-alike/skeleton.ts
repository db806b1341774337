// Finds names that a person may confuse, by the skeletons of Unicode Technical Standard 39. A page's names are ASCII, for which the
// standard's table of confusables has only these entries. Names that differ only in case, or in `_` and `-`, are alike too.

const CONFUSABLE: readonly (readonly [RegExp, string])[] = [
  [/[_-]/g, ""],
  [/0/g, "O"],
  [/[1I]/g, "l"],
  [/m/g, "rn"],
];

/** Matches a name with a confusable character. */
const ANY_CONFUSABLE = new RegExp(CONFUSABLE.map(([{ source }]) => source).join("|"));

/**
 * Returns two skeletons of a name: one of the name as it looks, and one that ignores case. Names with an equal skeleton
 * are alike.
 */
export function computeSkeletons(name: string): readonly [drawn: string, read: string] {
  return [computeSkeleton(name), computeSkeleton(name.toLowerCase()).toLowerCase()];
}

function computeSkeleton(name: string): string {
  if (!ANY_CONFUSABLE.test(name)) return name;
  return CONFUSABLE.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), name);
}

/** Returns each item whose name resembles an earlier name, together with the earlier item. */
export function findAlike<T>(items: readonly T[], nameOf: (item: T) => string): readonly (readonly [T, T])[] {
  const [byDrawn, byRead] = [new Map<string, T>(), new Map<string, T>()];
  const found: (readonly [T, T])[] = [];
  items.forEach((item) => {
    const [drawn, read] = computeSkeletons(nameOf(item));
    const before = byDrawn.get(drawn) ?? byRead.get(read);
    if (!byDrawn.has(drawn)) byDrawn.set(drawn, item);
    if (!byRead.has(read)) byRead.set(read, item);
    if (before !== undefined) found.push([item, before]);
  });
  return found;
}
