// The ledger's storage in one SQLite file.

import type { DatabaseSync } from "node:sqlite";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { classifySqlFault, Sql, transact } from "../../lib/sqlite/index.ts";
import { CachingRows } from "./caching-rows.ts";
import { CorruptRow } from "./sqlite-rows.ts";
import type { Rows, Storage } from "./storage.ts";

export const FULL = "the disk or the ledger is full; /task purge frees space";

export class SqliteStorage implements Storage {
  readonly #database: DatabaseSync;
  readonly #rows: CachingRows;
  #broken = "";

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#rows = new CachingRows(new Sql(database));
  }

  get isBroken(): boolean {
    return this.#broken !== "";
  }

  transact<T>(run: (rows: Rows) => T): Result<T> {
    if (this.isBroken) return refuse(this.#broken);
    try {
      return transact(this.#database, () => accept(run(this.#rows)));
    } catch (error) {
      this.#rows.forget();
      const fault = error instanceof CorruptRow ? { fault: "spoiled", words: error.message } : classifySqlFault(error);
      if (fault === undefined) throw error;
      if (fault.fault === "full") return refuse(FULL);
      // After a failed write or sync nobody knows what is on the disk. Only a new start, which reads the disk, may continue.
      this.#broken = `the ledger has stopped: ${fault.words}`;
      return refuse(this.#broken);
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
