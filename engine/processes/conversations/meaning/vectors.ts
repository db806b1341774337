// The vectors of a store, with the same protection as the rest of the file: errors of the disk or the file are returned as reasons, and not
// thrown.

import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Sql } from "../../../lib/sqlite/index.ts";
import { MAX_VECTOR_BYTES } from "../limits.ts";
import { findNearest, type OutlierScore, type Scope } from "./nearest.ts";
import {
  assignModelNumber,
  type Coverage,
  countCoverage,
  countVectorBytes,
  eraseForeign,
  findSayingText,
  findUnembedded,
  type IndexedVector,
  type Part,
  putVector,
} from "./table.ts";

/** The operations with which the classes of a store, such as `Vectors`, read and change the file. */
interface Guards {
  /** Reads the file, and turns its faults into reasons. */
  readonly read: <T>(run: () => Result<T>) => Result<T>;
  /** Changes the file in a transaction, and turns its faults into reasons. */
  readonly change: <T>(run: () => Result<T>) => Result<T>;
}

export class Vectors {
  readonly #sql: Sql;
  readonly #guards: Guards;
  /** This number grows when sayings are erased, because another saying may then get the same row number. */
  #erasures = 0;

  constructor(sql: Sql, guards: Guards) {
    this.#sql = sql;
    this.#guards = guards;
  }

  /**
   * The count of erasures. If the number has changed, a row number that was read before may belong to another saying.
   */
  get erasures(): number {
    return this.#erasures;
  }

  countErasure(): void {
    this.#erasures += 1;
  }

  /** Returns the number that identifies vectors of these weights in this file. */
  numberOf(id: string): Result<bigint> {
    return this.#guards.change(() => accept(assignModelNumber(this.#sql, id)));
  }

  /** Returns the sayings without a vector, newest first. */
  listMissing(session: string, model: bigint, part: Part, most: number): Result<readonly bigint[]> {
    return this.#guards.read(() => accept(findUnembedded(this.#sql, { session, model, part, most })));
  }

  /** Returns the text to embed, or `undefined` if the saying was forgotten. */
  readText(session: string, number: bigint): Result<string | undefined> {
    return this.#guards.read(() => accept(findSayingText(this.#sql, session, number)));
  }

  /**
   * Stores all these vectors of one session, or none of them; vectors of other weights are erased to make space. Fails
   * if there is still not enough space. The space that is reserved for forgetting is never used.
   */
  put(session: string, model: bigint, made: readonly IndexedVector[]): Result<true> {
    return this.#guards.change(() => {
      for (const one of made) putVector(this.#sql, model, session, one);
      while (countVectorBytes(this.#sql, session) > MAX_VECTOR_BYTES) {
        if (!eraseForeign(this.#sql, session, model)) return refuse(NO_ROOM);
      }
      return accept(true);
    });
  }

  readCoverage(session: string, model: bigint): Result<Coverage> {
    return this.#guards.read(() => accept(countCoverage(this.#sql, session, model)));
  }

  /** Returns the row numbers of the sayings that `findNearest` finds, nearest first. Fails if the file is faulty. */
  async searchNearest(
    vector: Int8Array,
    model: bigint,
    scope: Scope,
    outstanding: OutlierScore,
  ): Promise<Result<readonly bigint[]>> {
    const slice = <T>(ask: () => T) => this.#guards.read(() => accept(ask()));
    return findNearest(this.#sql, slice, { vector, model, scope, outstanding });
  }
}

const NO_ROOM = "a session's room for vectors is full; /forget makes some";
