import { placeAt } from "./cycles.ts";

/** Folders that only group rooms: each folder in them is a room. Elsewhere a room is a folder of the second level. */
const GROUPS: ReadonlySet<string> = new Set([
  ...["artefacts", "dev", "editors", "inputs", "phases", "queries", "rules"].map((name) => `compiler/${name}`),
  ...["image", "lib", "outside", "processes"].map((name) => `engine/${name}`),
]);

/** Returns the room of a path relative to the checkout, or the path itself if it is not in a room. */
export function findRoom(path: string): string {
  return placeAt(path, GROUPS.has(placeAt(path, 2)) ? 3 : 2);
}
