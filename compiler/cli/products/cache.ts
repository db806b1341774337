// Finished root file systems take 50 MB each, and every change of the engine makes another.

import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** Enough for going back and forth between a few branches; a root that is missed is made again in seconds. */
const KEPT = 4;

/** Marks `used` as the newest of its kind and removes all but the few newest, with the digests beside them. */
export function pruneRoots(cache: string, used: string): void {
  const now = new Date();
  utimesSync(used, now, now);
  const roots = readdirSync(cache)
    .filter((name) => name.endsWith(".erofs"))
    .map((name) => ({ path: join(cache, name), used: statSync(join(cache, name)).mtimeMs }))
    .sort((left, right) => right.used - left.used);
  for (const { path } of roots.slice(KEPT).filter((root) => root.path !== used)) {
    rmSync(path, { force: true });
    rmSync(`${path}.json`, { force: true });
  }
}
