// Opens the SQLite file of the conversations. Its settings keep acknowledged data on the disk. The file is checked
// completely before its content is trusted.

import { lstatSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { classifySqlFault, FOREIGN, NO_TABLES, OPTIONS, readSchema } from "../../lib/sqlite/index.ts";
import { MAX_FILE_BYTES, PAGE_BYTES, RESERVED_PAGES } from "./limits.ts";
import { COPY_PRAGMAS, FORGETTING_INDEX, GIVING_BACK, PRAGMAS, TABLES, VECTORS } from "./schema.ts";

declare module "node:sqlite" {
  /** A method of Node 24 that its types lack: it replaces the database with the bytes of a file. */
  interface DatabaseSync {
    deserialize(bytes: Uint8Array): void;
  }
}

type Opening =
  | { readonly kind: "open"; readonly database: DatabaseSync }
  /** The file is foreign, or was changed since it was written; it must be moved aside together with its journal. */
  | { readonly kind: "spoiled"; readonly reason: string }
  /** The file is unusable because of the disk; no fault of the file itself is known. */
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * The two schemas that a file may have: with vectors, and without. They are built once, in memory, from the statements
 * that create a file.
 */
let ours: readonly string[] | undefined;

/** Opens the file at `path`, which need not exist. */
export function openFile(path: string): Opening {
  const misfit = checkFile(path) ?? checkFile(getJournalPath(path));
  if (misfit !== undefined) return { kind: "spoiled", reason: misfit };
  const url = pathToFileURL(path);
  url.searchParams.set("nolock", "1");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(url, OPTIONS);
    const wrong = prepareTables(database);
    if (wrong === undefined) return { kind: "open", database };
    database.close();
    return { kind: "spoiled", reason: wrong };
  } catch (error) {
    if (database?.isOpen === true) database.close();
    const fault = classifySqlFault(error);
    if (fault === undefined) throw error;
    return { kind: fault.fault === "spoiled" ? "spoiled" : "unusable", reason: fault.words };
  }
}

/**
 * Opens a copy of a file in memory, for reading only: its author may be hostile. Fails if the file is damaged, or if
 * its schema does not equal ours exactly, so that no foreign trigger, view or module ever runs.
 */
export function openCopy(bytes: Uint8Array): Result<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(":memory:", OPTIONS);
    database.deserialize(bytes);
    for (const pragma of COPY_PRAGMAS) database.exec(`PRAGMA ${pragma}`);
    const wrong = getExpectedSchemas().includes(readSchema(database)) ? checkIntegrity(database) : FOREIGN;
    if (wrong === undefined) return accept(database);
    database.close();
    return refuse(wrong);
  } catch (error) {
    if (database?.isOpen === true) database.close();
    const fault = classifySqlFault(error);
    if (fault === undefined && !isOfSql(error)) throw error;
    return refuse(fault?.words ?? "it is no database");
  }
}

function isOfSql(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

export function openMemory(): DatabaseSync {
  const database = new DatabaseSync(":memory:", OPTIONS);
  prepareTables(database);
  return database;
}

/** Returns the path of SQLite's rollback journal. */
export function getJournalPath(path: string): string {
  return `${path}-journal`;
}

/**
 * Checks a file before it is read. Returns why the file must not be read, or `undefined` if it may be read or does not
 * exist.
 */
function checkFile(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return "it is no file";
  return stats.size > MAX_FILE_BYTES ? `it has ${stats.size} bytes, and ${MAX_FILE_BYTES} is the most` : undefined;
}

/** Creates the tables if there are none. Returns what is wrong with the file, or `undefined`. */
function prepareTables(database: DatabaseSync): string | undefined {
  for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`);
  limitPages(database, RESERVED_PAGES);
  const found = readSchema(database);
  if (found === NO_TABLES) {
    makeTables(database);
    return undefined;
  }
  return getExpectedSchemas().includes(found) ? checkIntegrity(database) : FOREIGN;
}

function checkIntegrity(database: DatabaseSync): string | undefined {
  const checked = database.prepare("PRAGMA quick_check(1)").get();
  const said = String(Object.values(checked ?? {})[0]);
  return said === "ok" ? undefined : said;
}

/** Limits the database to the pages of a file of MAX_FILE_BYTES, minus `reserved` pages. */
export function limitPages(database: DatabaseSync, reserved: number): void {
  database.exec(`PRAGMA max_page_count = ${MAX_FILE_BYTES / PAGE_BYTES - reserved}`);
}

function makeTables(database: DatabaseSync): void {
  database.exec([GIVING_BACK, "BEGIN IMMEDIATE", ...TABLES, FORGETTING_INDEX, VECTORS, "COMMIT"].join(";"));
}

/** Adds the table of vectors to an older file, in the caller's transaction. */
export function addVectors(database: DatabaseSync): void {
  if (readSchema(database) !== getExpectedSchemas()[0]) database.exec(VECTORS);
}

/**
 * Creates the table of vectors in memory, for a file that has no space for this table. The file stays unchanged, and
 * the next start tries to add the table to it.
 */
export function keepVectorsInMemory(database: DatabaseSync): void {
  database.exec(VECTORS.replace("CREATE TABLE", "CREATE TEMP TABLE"));
}

function getExpectedSchemas(): readonly string[] {
  if (ours !== undefined) return ours;
  const database = new DatabaseSync(":memory:");
  makeTables(database);
  const whole = readSchema(database);
  database.exec("DROP TABLE vectors");
  ours = [whole, readSchema(database)];
  database.close();
  return ours;
}
