// Determines which files are mutated to measure a folder, and which tests run for the mutants.

import { findRoom } from "../structure/rooms.ts";

/**
 * Rooms whose folders are measured one by one: the measurement of a folder changes only files directly in the folder,
 * not in its subfolders.
 */
const FLAT: readonly string[] = ["compiler/rules", "compiler/phases/policy", "targets/contract"];

/** Test files of a room that are in another room. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  "targets/contract": ["compiler/phases/policy/backends.test.ts"],
  "lang/grammar": ["lang/corpus/*.test.ts"],
  "lang/format": ["lang/corpus/*.test.ts"],
};

/** Returns the room that contains or equals a folder. All rules of the compiler together are one room. */
export function roomOf(folder: string): string {
  return FLAT.find((room) => folder.startsWith(`${room}/`)) ?? findRoom(folder);
}

/**
 * Returns the pattern that selects the files to mutate. In a room of `FLAT`, these are only the files directly in the
 * folder; in other rooms, also the files in its subfolders.
 */
export function sourcesOf(folder: string): string {
  return FLAT.includes(roomOf(folder)) ? `${folder}/*.ts` : `${folder}/**/*.ts`;
}

/**
 * Returns whether a folder contains one rule of the compiler: a law, an advice or a verdict. For a mutant of such a
 * folder, only the tests run whose names contain the name or a code of the rule.
 */
export function isRule(folder: string): boolean {
  return /^compiler\/rules\/(?:laws|advice|verdicts)\/[^/]+$/.test(folder);
}

/** Returns patterns that match the test files for these folders, all of which are in one room. */
export function testsOf(folders: readonly string[]): readonly string[] {
  const room = roomOf(folders[0] ?? "");
  const own = FLAT.includes(room)
    ? [room, ...folders].map((folder) => `${folder}/*.test.ts`)
    : [`${room}/**/*.test.ts`];
  return [...new Set([...own, ...(BESIDE[room] ?? [])])];
}
