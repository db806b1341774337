// Limits the cache between builds to the files that were used last.

import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/**
 * Number of root file systems that the cache keeps. Each root takes 50 MB, and every change of the engine makes another
 * one. Four are enough for a person who switches between a few branches; a missing one is rebuilt in seconds.
 */
const KEPT = 4;

/** Marks `used` as the newest root and removes old roots, so that only the newest `KEPT` remain. */
export function pruneRoots(cache: string, used: string): void {
  keepNewest(KEPT, cache, ".erofs", [used]);
}

/**
 * Sets the times of the files `used` to now, and keeps only the `kept` newest files with this ending. For each removed
 * file `NAME`, also removes its record `NAME.json`.
 */
export function keepNewest(kept: number, folder: string, ending: string, used: readonly string[]): void {
  const now = new Date();
  for (const path of used) utimesSync(path, now, now);
  for (const path of listOlderFiles(kept, folder, ending).filter((each) => !used.includes(each))) {
    rmSync(path, { force: true });
    rmSync(`${path}.json`, { force: true });
  }
}

/**
 * Returns the paths of the files in a folder whose names have this ending, except the `kept` files that were used last.
 */
export function listOlderFiles(kept: number, folder: string, ending: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ path: join(folder, name), used: statSync(join(folder, name)).mtimeMs }))
    .sort((left, right) => right.used - left.used)
    .slice(kept)
    .map(({ path }) => path);
}
