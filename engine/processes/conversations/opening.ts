// Opens the store in a directory. An unusable file is moved aside and never overwritten. If data cannot be stored on a disk, the
// store is in memory and reports this.

import { accessSync, constants, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type Result, refuse } from "../../lib/result/result.ts";
import { classifySqlFault } from "../../lib/sqlite/index.ts";
import { getJournalPath, openFile, openMemory } from "./database.ts";
import { Reserve } from "./reserve.ts";
import { Store, type World } from "./store.ts";

/** Maximum number of damaged files that are moved aside; a person has to inspect and remove them. */
const MOST_ASIDE = 3;

/** Opens a store in its own directory on the data disk, or in memory without a disk. */
export function openStore(directory: string | undefined, world: World): Store {
  if (directory === undefined) return openInMemory(world, "there is no data disk", "");
  if (!isWritable(directory)) return openInMemory(world, "there is no data disk", "");
  const path = join(directory, "conversations.db");
  const first = openFile(path);
  if (first.kind === "open") return openOnDisk(first.database, directory, world, "");
  if (first.kind === "unusable") return openInMemory(world, first.reason, "");
  const moved = moveAside(directory, path, first.reason);
  if (!moved.ok) return openInMemory(world, moved.reason, "");
  const second = openFile(path);
  return second.kind === "open"
    ? openOnDisk(second.database, directory, world, moved.value)
    : openInMemory(world, second.reason, moved.value);
}

function openOnDisk(database: DatabaseSync, directory: string, world: World, moved: string): Store {
  const reserve = new Reserve(join(directory, "reserve"));
  reserve.fill();
  const prefix = "abcd"[countAside(directory)] ?? "e";
  return new Store({ database, world, reserve, reason: "", moved, prefix });
}

/**
 * Opens a store in memory. No two starts give the same name to a conversation. So a label that another process stores
 * under a name never applies to another conversation.
 */
function openInMemory(world: World, reason: string, moved: string): Store {
  const prefix = `m${world.bootId.slice(0, 8)}-`;
  return new Store({ database: openMemory(), world, reserve: undefined, reason, moved, prefix });
}

/** Returns whether the directory is writable: without a data disk init binds an empty read-only one. */
function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function getAsidePath(directory: string, number: number): string {
  return join(directory, `spoiled-${number}.db`);
}

/**
 * Counts the files moved aside. After each such move, names of conversations begin with another letter. So data that
 * another process stores under an old name is not taken for data of a new conversation.
 */
function countAside(directory: string): number {
  return [1, 2, 3].filter((number) => existsSync(getAsidePath(directory, number))).length;
}

/**
 * Moves a file aside under the first free name, with its journal. Returns a sentence that states which file was moved,
 * where to and why.
 */
function moveAside(directory: string, path: string, reason: string): Result<string> {
  const number = Array.from({ length: MOST_ASIDE }, (_, index) => index + 1).find(
    (candidate) => !existsSync(getAsidePath(directory, candidate)),
  );
  if (number === undefined)
    return refuse(`${reason}; ${MOST_ASIDE} spoiled files lie there already, and it is left alone`);
  const aside = getAsidePath(directory, number);
  try {
    // Move the journal first: a journal alone is useless, but a file without its journal would be read as if it were complete.
    if (existsSync(getJournalPath(path))) renameSync(getJournalPath(path), getJournalPath(aside));
    renameSync(path, aside);
    return { ok: true, value: `conversations.db was put aside as spoiled-${number}.db: ${reason}` };
  } catch (error) {
    if (classifySqlFault(error) === undefined && !(error instanceof Error && "code" in error)) throw error;
    return refuse(`${reason}; and it could not be put aside`);
  }
}
