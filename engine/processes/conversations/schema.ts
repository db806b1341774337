// The tables of the file. A file with any other table, index, trigger or view is foreign, and is not queried.

/** Statements that create the tables, in order; the index creates tables of its own. */
export const TABLES: readonly string[] = [
  "CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE TABLE conversations (id TEXT PRIMARY KEY, session TEXT NOT NULL, parent TEXT NOT NULL, title TEXT NOT NULL, sayings INTEGER NOT NULL, bytes INTEGER NOT NULL, changed INTEGER NOT NULL, changedMs INTEGER NOT NULL, forgotten INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE INDEX bySession ON conversations (session, forgotten, changed, sayings, bytes)",
  "CREATE TABLE sayings (number INTEGER PRIMARY KEY, conversation TEXT NOT NULL, sequence INTEGER NOT NULL, turn INTEGER NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL, calls TEXT NOT NULL, callId TEXT NOT NULL, source TEXT NOT NULL, outcome TEXT NOT NULL, through INTEGER NOT NULL, saidMs INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT",
  "CREATE UNIQUE INDEX inOrder ON sayings (conversation, sequence)",
  "CREATE TABLE opened (session TEXT PRIMARY KEY, boot TEXT NOT NULL, conversation TEXT NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2')",
];

/** Table of vectors. Files of versions without embedders lack this table until their first start with this version. */
export const VECTORS =
  "CREATE TABLE vectors (number INTEGER PRIMARY KEY, model INTEGER NOT NULL, vector BLOB NOT NULL) STRICT";

/** Settings of every connection; none of them is stored in the file. */
export const PRAGMAS: readonly string[] = [
  // Only one process has the file, because init mounts the directory for no other process. So locking is turned off
  // (nolock).
  "locking_mode = EXCLUSIVE",
  // Empty the journal instead of deleting it: then no file is ever deleted, and the jail can forbid this process to delete files.
  "journal_mode = TRUNCATE",
  // SQLite syncs the journal, then the file, then the emptied journal. Only after these three syncs is a change
  // acknowledged.
  "synchronous = FULL",
  // Overwrite forgotten content.
  "secure_delete = ON",
  "trusted_schema = OFF",
  "cell_size_check = ON",
  "mmap_size = 0",
  "temp_store = MEMORY",
  // The size of the cache, in KiB.
  "cache_size = -4096",
  "foreign_keys = OFF",
  "recursive_triggers = OFF",
];

/** Settings for a copy of a foreign file, which is only read. */
export const COPY_PRAGMAS: readonly string[] = [
  "query_only = ON",
  "trusted_schema = OFF",
  "cell_size_check = ON",
  "temp_store = MEMORY",
  // Maximum memory of SQLite, including the copy of the file.
  `hard_heap_limit = ${256 * 1024 * 1024}`,
];

/** Pragma without which no page of a forgotten saying can be returned to the disk; it must precede the first table. */
export const GIVING_BACK = "PRAGMA auto_vacuum = INCREMENTAL";

/**
 * SQL statement that makes the index overwrite removed words. The index stores no text, so each removal must state the removed text.
 */
export const FORGETTING_INDEX = "INSERT INTO words (words, rank) VALUES ('secure-delete', 1)";
