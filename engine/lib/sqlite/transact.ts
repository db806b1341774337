import type { DatabaseSync } from "node:sqlite";
import { accept, type Result, refuse } from "../result/result.ts";

/**
 * Runs a change in a transaction. If this function succeeds, the whole change is on the disk; if it fails, no part of
 * the change is on the disk.
 */
export function transact<T>(database: DatabaseSync, run: () => Result<T>): Result<T> {
  database.exec("BEGIN IMMEDIATE");
  let done: Result<T> = refuse("");
  try {
    done = run();
    database.exec(done.ok ? "COMMIT" : "ROLLBACK");
  } finally {
    // Do not roll back after an error for which SQLite has already rolled back.
    if (database.isTransaction) database.exec("ROLLBACK");
  }
  return done.ok ? accept(done.value) : done;
}
