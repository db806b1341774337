// Reads which tables an SQLite file has. A program compares them with the tables that it expects, before it queries any
// of them.

import type { DatabaseSync } from "node:sqlite";

/** Options for opening a database: SQLite loads no native code, and refuses statements that could damage the file. */
export const OPTIONS = { allowExtension: false, defensive: true } as const;

/** Result of `readSchema` for a database without tables. */
export const NO_TABLES = "[]";

/** Reason for which a database file is refused if its tables are not the expected ones. */
export const FOREIGN = "its tables are not those of this program";

/** Returns the tables, indexes, triggers and views of a database as one text, for comparison. */
export function readSchema(database: DatabaseSync): string {
  const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
  return JSON.stringify(rows);
}
