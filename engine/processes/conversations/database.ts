// One file of SQLite, opened so that what is told to be kept is on the disk, and looked at whole before anything in it is
// believed.

import { lstatSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { classifySqlFault } from "./faults.ts";
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
  /** Not ours, or not as it was written: to be moved aside, with what belongs to it. */
  | { readonly kind: "spoiled"; readonly reason: string }
  /** Unusable because of the disk; no fault of the file itself is known. */
  | { readonly kind: "unusable"; readonly reason: string };

const NO_TABLES = "[]";
/** No native code, and no statement that could damage the file or change its table of tables behind SQLite's back. */
const OPTIONS = { allowExtension: false, defensive: true };

/** Contents of the file's own table of tables, made once from the same statements in memory: with vectors, and without. */
let ours: readonly string[] | undefined;

/** `path`: of the file; it need not be there. */
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
 * Opens a copy of a file in memory, for reading only: its author may be hostile. It is used only if its table of tables equals ours
 * exactly, so that no foreign trigger, view or module ever runs.
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

/** The file in which SQLite keeps what to take back after a crash. */
export function getJournalPath(path: string): string {
  return `${path}-journal`;
}

/** Checks a file before it is read. Returns why it must not be, or `undefined` if it may or does not exist. */
function checkFile(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return "it is no file";
  return stats.size > MAX_FILE_BYTES ? `it has ${stats.size} bytes, and ${MAX_FILE_BYTES} is the most` : undefined;
}

/** Creates the tables if there are none. Returns what is wrong with the file, if anything. */
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

const FOREIGN = "its tables are not those of this program";

function checkIntegrity(database: DatabaseSync): string | undefined {
  const checked = database.prepare("PRAGMA quick_check(1)").get();
  const said = String(Object.values(checked ?? {})[0]);
  return said === "ok" ? undefined : said;
}

/** Every page but `reserved` may be taken. */
export function limitPages(database: DatabaseSync, reserved: number): void {
  database.exec(`PRAGMA max_page_count = ${MAX_FILE_BYTES / PAGE_BYTES - reserved}`);
}

function makeTables(database: DatabaseSync): void {
  database.exec([GIVING_BACK, "BEGIN IMMEDIATE", ...TABLES, FORGETTING_INDEX, VECTORS, "COMMIT"].join(";"));
}

/** Adds the table of vectors to an older file; runs in the caller's transaction. */
export function addVectors(database: DatabaseSync): void {
  if (readSchema(database) !== getExpectedSchemas()[0]) database.exec(VECTORS);
}

/** Keeps vectors in memory, for a file that has no room for their table. The file stays as it is, and the next start adds the table. */
export function keepVectorsInMemory(database: DatabaseSync): void {
  database.exec(VECTORS.replace("CREATE TABLE", "CREATE TEMP TABLE"));
}

function readSchema(database: DatabaseSync): string {
  const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
  return JSON.stringify(rows);
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

/** All of what `run` does to the tables, or none of it and why. On the disk when it returns. */
export function transact<T>(database: DatabaseSync, run: () => Result<T>): Result<T> {
  database.exec("BEGIN IMMEDIATE");
  let done: Result<T> = refuse("");
  try {
    done = run();
    database.exec(done.ok ? "COMMIT" : "ROLLBACK");
  } finally {
    // Not after an error that SQLite has rolled back by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
  }
  return done.ok ? accept(done.value) : done;
}
