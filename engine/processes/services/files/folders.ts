// Makes the folders that are missing on the path of a new file, and removes them again if the file cannot be written.

import { mkdir, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Place } from "./walk.ts";

/** Makes folders, outermost first. `made` receives each folder, even if a later one fails. */
export async function makeFolders(folders: readonly string[], made: string[]): Promise<void> {
  for (const folder of folders) {
    // The call fails if any entry has this name, so it never follows a link at the end of the path.
    await mkdir(folder, { mode: 0o700 });
    made.push(folder);
  }
}

/** Removes empty folders, innermost first. */
export async function removeFolders(made: readonly string[]): Promise<void> {
  for (const folder of made.toReversed()) await rmdir(folder);
}

/** Returns the directories in which new files or new folders appear; each of them must be synced. */
export function listChangedDirectories(places: readonly Pick<Place, "missing" | "parent">[]): readonly string[] {
  const directories = places.flatMap(({ parent, missing }) => [
    parent,
    ...missing.toReversed().map((one) => dirname(one)),
  ]);
  return [...new Set(directories)];
}
