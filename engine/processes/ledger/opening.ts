// Opens the ledger in its directory on the data disk.

import { join } from "node:path";
import type { Result } from "../../lib/result/result.ts";
import { openDatabase } from "./database.ts";
import { Ledger, type World } from "./ledger.ts";
import { SqliteStorage } from "./sqlite-storage.ts";

export const FILE_NAME = "ledger.db";

/**
 * Opens the ledger, or creates it. Returns the reason if its file cannot be used; then the file is unchanged, because the tasks in it
 * must not be lost. A person restores it from a backup, or moves it away.
 */
export function openLedger(directory: string, world: World): Result<Ledger> {
  const database = openDatabase(join(directory, FILE_NAME));
  if (!database.ok) return database;
  const storage = new SqliteStorage(database.value);
  const ledger = Ledger.begin(storage, world);
  if (!ledger.ok) storage.close();
  return ledger;
}
