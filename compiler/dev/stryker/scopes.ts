// Determines which files a scope mutates, and which tests run for its mutants.

import { findRoom } from "../structure/rooms.ts";

/**
 * Rooms whose mutated files are only those directly in a folder, without its subfolders. The first run mutates the
 * files of the room's own folder. Each later run mutates the files of one of the room's other folders.
 */
const FLAT: readonly string[] = ["compiler/rules", "compiler/phases/policy", "targets/contract"];

/** Test files that belong to a room but are in another room. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  "targets/contract": ["compiler/phases/policy/backends.test.ts"],
  "lang/grammar": ["lang/corpus/*.test.ts"],
  "lang/format": ["lang/corpus/*.test.ts"],
};

/** Returns the room that contains a folder or is that folder. All rules together count as one room. */
export function roomOf(folder: string): string {
  return FLAT.find((room) => folder.startsWith(`${room}/`)) ?? findRoom(folder);
}

/** Returns the pattern of the files to mutate: those directly in a folder, or also those in folders below it. */
export function sourcesOf(folder: string): string {
  return FLAT.includes(roomOf(folder)) ? `${folder}/*.ts` : `${folder}/**/*.ts`;
}

/** Returns whether a folder belongs to a single rule, so that only tests named after that rule apply to it. */
export function isRule(folder: string): boolean {
  return /^compiler\/rules\/(?:laws|advice|verdicts)\/[^/]+$/.test(folder);
}

/** Returns the patterns of the tests that specify the folders of one room. */
export function testsOf(folders: readonly string[]): readonly string[] {
  const room = roomOf(folders[0] ?? "");
  const own = FLAT.includes(room)
    ? [room, ...folders].map((folder) => `${folder}/*.test.ts`)
    : [`${room}/**/*.test.ts`];
  return [...new Set([...own, ...(BESIDE[room] ?? [])])];
}
