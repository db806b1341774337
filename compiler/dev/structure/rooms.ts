import { placeAt } from "./cycles.ts";

/** Folders that only group rooms: a folder in one of them is a room. Otherwise, a room is a folder of the second level. */
const GROUPS: ReadonlySet<string> = new Set([
  ...["artefacts", "dev", "editors", "inputs", "phases", "queries", "rules"].map((name) => `compiler/${name}`),
  ...["image", "lib", "outside", "processes"].map((name) => `engine/${name}`),
]);

/** Returns the room of a path relative to the checkout, or the path itself if it lies in no room. */
export function findRoom(path: string): string {
  return placeAt(path, GROUPS.has(placeAt(path, 2)) ? 3 : 2);
}
