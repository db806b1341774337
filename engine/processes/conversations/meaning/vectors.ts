// The vectors of a store, behind the same guards as everything else in its file: what the disk or the file does is a reason.

import { accept, type Checked, refuse } from "../../../lib/policy/index.ts";
import { MAX_VECTOR_BYTES } from "../limits.ts";
import type { Sql } from "../sql.ts";
import { nearestTo, type Outstanding, type Scope } from "./nearest.ts";
import {
  bytesOfVectors,
  type Coverage,
  coverageOf,
  eraseForeign,
  type Made,
  modelNumber,
  type Part,
  putVector,
  textOf,
  withoutVector,
} from "./table.ts";

/** What a store does for its parts. */
interface Guards {
  /** Asks the file, and turns its faults into reasons. */
  readonly read: <T>(run: () => Checked<T>) => Checked<T>;
  /** The same in a transaction. */
  readonly change: <T>(run: () => Checked<T>) => Checked<T>;
}

export class Vectors {
  readonly #sql: Sql;
  readonly #guards: Guards;
  /** Grows when words are erased: a number that a saying had may be another one's then. */
  #erasures = 0;

  constructor(sql: Sql, guards: Guards) {
    this.#sql = sql;
    this.#guards = guards;
  }

  /** What was read before it has changed may be about something else now. */
  get erasures(): number {
    return this.#erasures;
  }

  erased(): void {
    this.#erasures += 1;
  }

  /** By what the vectors of these weights are told from those of others in this file. */
  numberOf(id: string): Checked<bigint> {
    return this.#guards.change(() => accept(modelNumber(this.#sql, id)));
  }

  /** Sayings that have none, newest first. */
  missing(session: string, model: bigint, part: Part, most: number): Checked<readonly bigint[]> {
    return this.#guards.read(() => accept(withoutVector(this.#sql, session, model, part, most)));
  }

  /** What is to be embedded; nothing where it was forgotten. */
  text(session: string, number: bigint): Checked<string | undefined> {
    return this.#guards.read(() => accept(textOf(this.#sql, session, number)));
  }

  /** All of them, of one session, or none; those of other weights give way. Never in the room that is kept for forgetting. */
  put(session: string, model: bigint, made: readonly Made[]): Checked<true> {
    return this.#guards.change(() => {
      for (const one of made) putVector(this.#sql, model, session, one);
      while (bytesOfVectors(this.#sql, session) > MAX_VECTOR_BYTES) {
        if (!eraseForeign(this.#sql, session, model)) return refuse(NO_ROOM);
      }
      return accept(true);
    });
  }

  coverage(session: string, model: bigint): Checked<Coverage> {
    return this.#guards.read(() => accept(coverageOf(this.#sql, session, model)));
  }

  /** Rows of sayings, nearest first. */
  async nearest(
    vector: Int8Array,
    model: bigint,
    scope: Scope,
    outstanding: Outstanding,
  ): Promise<Checked<readonly bigint[]>> {
    const slice = <T>(ask: () => T) => this.#guards.read(() => accept(ask()));
    return nearestTo(this.#sql, slice, vector, model, scope, outstanding);
  }
}

const NO_ROOM = "a session's room for vectors is full; /forget makes some";
