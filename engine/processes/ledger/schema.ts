// The tables of the ledger's file. A file with any other table, index, trigger or view is foreign, and is not queried.

/** Statements that create the tables, in order. Statuses, kinds and states are numbers: their positions in the lists of `rows.ts`. */
export const TABLES: readonly string[] = [
  "CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 0), at INTEGER NOT NULL, run INTEGER NOT NULL, key BLOB NOT NULL) STRICT",
  "CREATE TABLE task (id INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, status INTEGER NOT NULL, reason TEXT NOT NULL, request TEXT NOT NULL, objective TEXT NOT NULL, requester TEXT NOT NULL, ingress TEXT NOT NULL, policy BLOB NOT NULL, label BLOB NOT NULL, model TEXT NOT NULL, harness TEXT NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, deadline INTEGER NOT NULL, messages INTEGER NOT NULL, archived INTEGER NOT NULL) STRICT",
  "CREATE TABLE counter (session TEXT PRIMARY KEY, tasks INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE UNIQUE INDEX taskOfSession ON task (session, number)",
  // These indexes contain only tasks that have not ended. Each start of the machine and each check of the deadlines
  // reads only such tasks, and most tasks have ended.
  "CREATE INDEX taskOpen ON task (id) WHERE status < 4",
  "CREATE INDEX taskOpenOfSession ON task (session) WHERE status < 4",
  "CREATE INDEX taskByDeadline ON task (deadline) WHERE status < 4",
  "CREATE TABLE step (task INTEGER NOT NULL, number INTEGER NOT NULL, kind INTEGER NOT NULL, state INTEGER NOT NULL, what TEXT NOT NULL, call BLOB NOT NULL, result BLOB NOT NULL, run INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL, PRIMARY KEY (task, number)) STRICT, WITHOUT ROWID",
  // This index contains only steps that are started or unknown, because they are few, and each start of the ledger reads all of them.
  "CREATE INDEX stepUnsettled ON step (task, number) WHERE state = 0 OR state = 3",
  "CREATE TABLE content (digest BLOB PRIMARY KEY, bytes BLOB NOT NULL, uses INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE TABLE message (task INTEGER NOT NULL, position INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (task, position)) STRICT, WITHOUT ROWID",
  "CREATE TABLE approval (id INTEGER PRIMARY KEY AUTOINCREMENT, task INTEGER NOT NULL, state INTEGER NOT NULL, reason TEXT NOT NULL, tool TEXT NOT NULL, call BLOB NOT NULL, arguments BLOB NOT NULL, policy BLOB NOT NULL, label BLOB NOT NULL, askedOf TEXT NOT NULL, quorum INTEGER NOT NULL, asked INTEGER NOT NULL, deadline INTEGER NOT NULL, step INTEGER NOT NULL) STRICT",
  "CREATE INDEX approvalOfTask ON approval (task, state)",
  "CREATE INDEX approvalByDeadline ON approval (deadline) WHERE state = 0",
  "CREATE TABLE answer (approval INTEGER NOT NULL, principal TEXT NOT NULL, approves INTEGER NOT NULL, surface TEXT NOT NULL, mac BLOB NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (approval, principal)) STRICT, WITHOUT ROWID",
  "CREATE TABLE schedule (name TEXT PRIMARY KEY, through INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  // Each session numbers its own events, so that a reader of a quiet session need not read the events of a busy one.
  "CREATE TABLE event (session TEXT NOT NULL, sequence INTEGER NOT NULL, at INTEGER NOT NULL, task INTEGER NOT NULL, kind INTEGER NOT NULL, label BLOB NOT NULL, body TEXT NOT NULL, PRIMARY KEY (session, sequence)) STRICT, WITHOUT ROWID",
];

/** Settings of every connection; none of them is stored in the file. */
export const PRAGMAS: readonly string[] = [
  "trusted_schema = OFF",
  "cell_size_check = ON",
  "mmap_size = 0",
  "temp_store = MEMORY",
  "foreign_keys = OFF",
  "recursive_triggers = OFF",
  // The size of the cache, in KiB.
  "cache_size = -8192",
];
