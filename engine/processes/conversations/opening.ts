// From a directory to a store: a file that cannot be used as it is is moved aside and never written over, and where nothing can
// be kept the store is in memory and says so.

import { accessSync, constants, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type Checked, refuse } from "../../lib/policy/index.ts";
import { journalOf, openFile, openMemory } from "./database.ts";
import { sqlFault } from "./faults.ts";
import { Reserve } from "./reserve.ts";
import { Store, type World } from "./store.ts";

/** Files that were moved aside are a person's to look at and to take away; more of them are not made. */
const MOST_ASIDE = 3;

/** `directory`: of its own, on the data disk; nothing where there is no disk. */
export function openStore(directory: string | undefined, world: World): Store {
  if (directory === undefined) return inMemory(world, "there is no data disk", "");
  if (!isWritable(directory)) return inMemory(world, "there is no data disk", "");
  const path = join(directory, "conversations.db");
  const first = openFile(path);
  if (first.kind === "open") return onDisk(first.database, directory, world, "");
  if (first.kind === "unusable") return inMemory(world, first.reason, "");
  const moved = moveAside(directory, path, first.reason);
  if (!moved.ok) return inMemory(world, moved.reason, "");
  const second = openFile(path);
  return second.kind === "open"
    ? onDisk(second.database, directory, world, moved.value)
    : inMemory(world, second.reason, moved.value);
}

function onDisk(database: DatabaseSync, directory: string, world: World, moved: string): Store {
  const reserve = new Reserve(join(directory, "reserve"));
  reserve.fill();
  const prefix = "abcd"[asideCount(directory)] ?? "e";
  return new Store({ database, world, reserve, reason: "", moved, prefix });
}

/** Its names are of this run alone: one that another run gave is of another conversation, with a label of its own. */
function inMemory(world: World, reason: string, moved: string): Store {
  const prefix = `m${world.bootId.slice(0, 8)}-`;
  return new Store({ database: openMemory(), world, reserve: undefined, reason, moved, prefix });
}

/** Where the machine has no data disk, init binds an empty directory that nobody may write to. */
function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function asidePath(directory: string, number: number): string {
  return join(directory, `spoiled-${number}.db`);
}

/** Names of conversations begin with another letter after each: what was kept about one of that name elsewhere is not mixed up. */
function asideCount(directory: string): number {
  return [1, 2, 3].filter((number) => existsSync(asidePath(directory, number))).length;
}

/** Under the first name that is free, with its journal. In words: what was moved, where to and why. */
function moveAside(directory: string, path: string, reason: string): Checked<string> {
  const number = Array.from({ length: MOST_ASIDE }, (_, index) => index + 1).find(
    (candidate) => !existsSync(asidePath(directory, candidate)),
  );
  if (number === undefined)
    return refuse(`${reason}; ${MOST_ASIDE} spoiled files lie there already, and it is left alone`);
  const aside = asidePath(directory, number);
  try {
    // The journal first: without its file it is nothing, and a file without its journal would be read as if it were whole.
    if (existsSync(journalOf(path))) renameSync(journalOf(path), journalOf(aside));
    renameSync(path, aside);
    return { ok: true, value: `conversations.db was put aside as spoiled-${number}.db: ${reason}` };
  } catch (error) {
    if (sqlFault(error) === undefined && !(error instanceof Error && "code" in error)) throw error;
    return refuse(`${reason}; and it could not be put aside`);
  }
}
