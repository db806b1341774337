import { placeAt } from "./cycles.ts";

/** Folders that only group rooms: a room is a folder in one of them. Elsewhere it is a folder of the second level. */
const GROUPS: ReadonlySet<string> = new Set([
  ...["artefacts", "dev", "editors", "inputs", "phases", "queries", "rules"].map((name) => `compiler/${name}`),
  ...["image", "lib", "outside", "processes"].map((name) => `engine/${name}`),
]);

/** Returns the room that a path from the checkout lies in, or the path itself if it lies in no room. */
export function findRoom(path: string): string {
  return placeAt(path, GROUPS.has(placeAt(path, 2)) ? 3 : 2);
}
