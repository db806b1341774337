import type { DatabaseSync, StatementSync } from "node:sqlite";

/** The values of a row, by the names of their columns. */
export type Row = Readonly<Record<string, unknown>>;

export type Word = string | number | bigint | Uint8Array;

/**
 * Runs statements on a database. Values are passed as parameters, never in the text of a statement; whole numbers are
 * returned as bigint.
 */
export class Sql {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  findFirst(sql: string, ...words: readonly Word[]): Row | undefined {
    return this.#prepareStatement(sql).get(...words);
  }

  findAll(sql: string, ...words: readonly Word[]): readonly Row[] {
    return this.#prepareStatement(sql).all(...words);
  }

  iterateRows(sql: string, ...words: readonly Word[]): Iterable<Row> {
    return this.#prepareStatement(sql).iterate(...words);
  }

  /** Runs a statement, and returns SQLite's rowid of the last inserted row. */
  run(sql: string, ...words: readonly Word[]): bigint {
    return BigInt(this.#prepareStatement(sql).run(...words).lastInsertRowid);
  }

  #prepareStatement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    statement.setReadBigInts(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}
