import { countWhile } from "../../../lang/text/index.ts";
import type { Naming } from "../../phases/bind/index.ts";

/** One thing that pages name: its kind, such as `session`, and its full name, such as `operator`. */
export type NamedEntity = Pick<Naming, "what" | "id">;

/** Index of all names in the pages of a package. */
export interface Namings {
  /** Returns the name that contains this offset of a file or ends there; of several names, the innermost. */
  readonly at: (path: string, offset: number) => Naming | undefined;
  /** Returns all occurrences of the name of a thing, including its declarations, in the order of the pages. */
  readonly of: (thing: NamedEntity) => readonly Naming[];
  /** Returns the names in one file, in the order in which they occur. */
  readonly inFile: (path: string) => readonly Naming[];
}

export function indexNamings(told: readonly Naming[]): Namings {
  const files = new Map<string, Naming[]>();
  for (const [path, namings] of Map.groupBy(told, ({ span }) => span.source.path))
    files.set(path, sortNamings(namings));
  const things = Map.groupBy([...files.values()].flat(), getKey);
  return {
    at: (path, offset) => findInnermost(files.get(path) ?? [], offset),
    of: (thing) => things.get(getKey(thing)) ?? [],
    inFile: (path) => files.get(path) ?? [],
  };
}

function getKey({ what, id }: NamedEntity): string {
  return `${what} ${id}`;
}

/** Sorts the names and removes duplicates: the same position may both declare a method and look it up in a schema. */
function sortNamings(namings: readonly Naming[]): Naming[] {
  const sorted = [...namings].sort(
    (left, right) =>
      left.span.start - right.span.start ||
      left.span.end - right.span.end ||
      Number(right.declares) - Number(left.declares),
  );
  const said = new Set<string>();
  return sorted.filter(({ span, what, id }) => {
    const key = `${span.start} ${span.end} ${what} ${id}`;
    return !said.has(key) && said.add(key) !== undefined;
  });
}

/**
 * Returns the shortest name around the offset, or `undefined` if there is none. Names are short and overlap little,
 * so only those that begin near the offset are checked.
 */
function findInnermost(namings: readonly Naming[], offset: number): Naming | undefined {
  let best: Naming | undefined;
  for (let index = countUpTo(namings, offset) - 1; index >= 0; index -= 1) {
    const naming = namings[index];
    if (naming === undefined || offset - naming.span.start > LONGEST) break;
    const { start, end } = naming.span;
    if (offset > end) continue;
    if (best === undefined || end - start < best.span.end - best.span.start) best = naming;
  }
  return best;
}

/** Maximum length of a name in UTF-16 code units. A longer name is found only from offsets near its beginning. */
const LONGEST = 1024;

/** Returns the number of names that begin at an offset or before it. */
function countUpTo(namings: readonly Naming[], offset: number): number {
  return countWhile(namings.length, (index) => (namings[index]?.span.start ?? 0) <= offset);
}
