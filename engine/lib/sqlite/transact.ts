import type { DatabaseSync } from "node:sqlite";
import { accept, type Result, refuse } from "../result/result.ts";

/** Runs a change in a transaction: all of it is on the disk when it returns, or none of it with the reason. */
export function transact<T>(database: DatabaseSync, run: () => Result<T>): Result<T> {
  database.exec("BEGIN IMMEDIATE");
  let done: Result<T> = refuse("");
  try {
    done = run();
    database.exec(done.ok ? "COMMIT" : "ROLLBACK");
  } finally {
    // Do not roll back after an error for which SQLite already did.
    if (database.isTransaction) database.exec("ROLLBACK");
  }
  return done.ok ? accept(done.value) : done;
}
