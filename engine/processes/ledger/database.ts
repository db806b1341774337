// The file of the ledger. It has a write-ahead log, so that one sync of the disk makes many changes durable. A file that cannot be read
// is never replaced by a new one, because its tasks would be lost without a message.

import { lstatSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { classifySqlFault, FOREIGN, NO_TABLES, OPTIONS, readSchema } from "../../lib/sqlite/index.ts";
import { MAX_FILE_BYTES, MAX_LOG_BYTES, PAGE_BYTES } from "./limits.ts";
import { PRAGMAS, TABLES } from "./schema.ts";

let expected: string | undefined;

/**
 * Opens the file at `path`, or creates it. Returns the reason if the file is foreign or corrupt, or if the disk fails; then the file is
 * unchanged.
 */
export function openDatabase(path: string): Result<DatabaseSync> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) return refuse("it is not a regular file");
  if (stats !== undefined && stats.size > MAX_FILE_BYTES)
    return refuse(`it has ${stats.size} bytes; the maximum is ${MAX_FILE_BYTES}`);
  const url = pathToFileURL(path);
  // Only this process has the directory, so no file is locked, and the jail needs no system call for locks.
  url.searchParams.set("vfs", "unix-none");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(url, OPTIONS);
    const objection = enableLog(database) ?? prepareTables(database);
    if (objection === undefined) return accept(database);
    database.close();
    return refuse(objection);
  } catch (error) {
    if (database?.isOpen === true) database.close();
    const fault = classifySqlFault(error);
    if (fault === undefined) throw error;
    return refuse(fault.words);
  }
}

/** Opens a ledger in memory: its content is lost with the process. */
export function openInMemory(): DatabaseSync {
  const database = new DatabaseSync(":memory:", OPTIONS);
  prepareTables(database);
  return database;
}

/** Turns the write-ahead log on. Returns the reason if SQLite does not use it. */
export function enableLog(database: DatabaseSync): string | undefined {
  // The exclusive mode keeps the index of the log in this process, without shared memory. When SQLite changes from a
  // rollback journal in a file to a write-ahead log, it deletes a file, which the jail forbids. So the mode `memory`,
  // without a journal file, is set first.
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  database.exec("PRAGMA journal_mode = MEMORY");
  const mode = Object.values(database.prepare("PRAGMA journal_mode = WAL").get() ?? {})[0];
  if (mode !== "wal") return `SQLite uses the journal '${String(mode)}' instead of a write-ahead log`;
  // A change is acknowledged after its record in the log is on the disk.
  database.exec("PRAGMA synchronous = FULL");
  database.exec(`PRAGMA wal_autocheckpoint = ${MAX_LOG_BYTES / PAGE_BYTES}`);
  database.exec(`PRAGMA journal_size_limit = ${MAX_LOG_BYTES}`);
  return undefined;
}

/** Creates the tables if there are none. Returns what is wrong with the file, or `undefined`. */
function prepareTables(database: DatabaseSync): string | undefined {
  for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`);
  database.exec(`PRAGMA max_page_count = ${MAX_FILE_BYTES / PAGE_BYTES}`);
  const found = readSchema(database);
  if (found === NO_TABLES) {
    makeTables(database);
    return undefined;
  }
  return found === getExpectedSchema() ? undefined : FOREIGN;
}

function makeTables(database: DatabaseSync): void {
  database.exec(["BEGIN IMMEDIATE", ...TABLES, "COMMIT"].join(";"));
}

function getExpectedSchema(): string {
  if (expected !== undefined) return expected;
  const database = new DatabaseSync(":memory:");
  makeTables(database);
  expected = readSchema(database);
  database.close();
  return expected;
}
