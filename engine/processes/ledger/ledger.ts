// The ledger: carries out decisions in order, and answers each one after its changes are on the disk. Decisions that arrive while the event
// loop is busy share one commit.

import type { Result } from "../../lib/result/result.ts";
import { accept, refuse } from "../../lib/result/result.ts";
import { expireDue } from "./approvals.ts";
import { Cursors } from "./cursors.ts";
import type { Deciding, Decision } from "./deciding.ts";
import { MAX_READ_BYTES, MOST_AT_ONCE, MOST_ROWS } from "./limits.ts";
import type { Event } from "./rows.ts";
import type { Clock, Storage } from "./storage.ts";

/** The clock, the random bytes and the event loop that a ledger uses. */
export interface World {
  /** Returns milliseconds since 1970 by a clock that people may set. */
  readonly now: () => number;
  /** Returns random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Runs a function after the requests that have already arrived were read. */
  readonly later: (run: () => void) => void;
}

/** A reader of events. It sees only events of its session, and of these the ones that `mayRead` permits. */
export interface Reader {
  readonly session: string;
  /** Name of the reader's rights, for its cursors: readers with different rights have different names. */
  readonly name: string;
  /** Whether the reader is cleared for data with this label. */
  readonly mayRead: (label: Uint8Array) => boolean;
}

/** Events for a reader, and the cursor from which the next call continues. */
interface Page {
  readonly events: readonly Omit<Event, "sequence">[];
  readonly cursor: Uint8Array;
  /** Whether more events may be stored already. */
  readonly hasMore: boolean;
}

interface Waiting {
  readonly carryOut: (deciding: Deciding) => void;
  readonly fail: (reason: string) => void;
  readonly acknowledge: () => void;
}

const KEY_BYTES = 32;

export class Ledger {
  readonly #storage: Storage;
  readonly #world: World;
  #clock: Clock;
  #waiting: Waiting[] = [];
  #isPlanned = false;
  readonly #listeners = new Set<() => void>();

  private constructor(storage: Storage, world: World, clock: Clock) {
    this.#storage = storage;
    this.#world = world;
    this.#clock = clock;
  }

  /**
   * Begins a run of the ledger on a storage. If a step of an earlier run is still `started`, the end of that run
   * interrupted the step. Fails if the storage fails.
   */
  static begin(storage: Storage, world: World): Result<Ledger> {
    const clock = storage.transact((rows) => {
      const earlier = rows.readClock();
      const times = [BigInt(world.now()), earlier?.at ?? 0n, rows.findLatestTime()];
      const begun: Clock = {
        at: times.reduce((latest, time) => (time > latest ? time : latest)),
        run: (earlier?.run ?? 0n) + 1n,
        key: earlier?.key ?? world.random(KEY_BYTES),
      };
      rows.putClock(begun);
      return begun;
    });
    return clock.ok ? accept(new Ledger(storage, world, clock.value)) : clock;
  }

  /** Number of this run, from 1. */
  get run(): bigint {
    return this.#clock.run;
  }

  /** Returns the present time. If the clock was set back, the time stands still until the clock reaches it again. */
  get at(): bigint {
    const now = BigInt(this.#world.now());
    return now > this.#clock.at ? now : this.#clock.at;
  }

  /**
   * Carries out a decision, such as the one that `submitTask` returns. The promise resolves after the decision's
   * changes are on the disk, or with the reason why nothing was changed.
   */
  decide<T>(decision: Decision<T>): Promise<Result<T>> {
    return new Promise((resolve) => {
      let decided: Result<T> = refuse("");
      this.#waiting.push({
        carryOut: (deciding) => {
          decided = decision(deciding);
        },
        fail: (reason) => resolve(refuse(reason)),
        acknowledge: () => resolve(decided),
      });
      this.#plan();
    });
  }

  /** Returns the events after a cursor, as many as fit in one frame. Fails if the cursor is not one of this reader, or the storage fails. */
  readEvents({ session, name, mayRead }: Reader, cursor: Uint8Array): Result<Page> {
    const cursors = new Cursors(this.#clock.key, name);
    const after = cursors.read(cursor);
    if (after === undefined) return refuse("this is not a cursor of this reader");
    return this.#storage.transact((rows) => {
      const found = rows.listEvents(session, after, MOST_ROWS);
      const events: Omit<Event, "sequence">[] = [];
      let [size, last] = [0, after];
      for (const { sequence, ...event } of found) {
        const bytes = Buffer.byteLength(event.body) + event.label.length + event.session.length + 64;
        const isShown = mayRead(event.label);
        if (isShown && size + bytes > MAX_READ_BYTES) return { events, cursor: cursors.make(last), hasMore: true };
        last = sequence;
        if (!isShown) continue;
        size += bytes;
        events.push(event);
      }
      return { events, cursor: cursors.make(last), hasMore: found.length === MOST_ROWS };
    });
  }

  /** Calls `listener` after each commit that may have added events, until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Denies approvals and expires tasks whose deadline has passed. Returns the number of changed approvals and tasks. */
  async expire(): Promise<Result<number>> {
    let total = 0;
    for (;;) {
      const expired = await this.decide(expireDue());
      if (!expired.ok) return expired;
      total += expired.value;
      if (expired.value === 0) return accept(total);
    }
  }

  close(): void {
    this.#commit(this.#waiting.splice(0));
    this.#storage.close();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#world.later(() => {
      this.#isPlanned = false;
      this.#commit(this.#waiting.splice(0, MOST_AT_ONCE));
      if (this.#waiting.length > 0) this.#plan();
    });
  }

  /** Carries out decisions in one transaction, and answers them after the commit. */
  #commit(decisions: readonly Waiting[]): void {
    if (decisions.length === 0) return;
    const at = this.at;
    const done = this.#storage.transact((rows) => {
      // Every change that depends on the time writes an event, so the clock of the next run starts at the latest event or later.
      for (const { carryOut } of decisions) carryOut({ rows, at, run: this.run });
    });
    if (done.ok) this.#clock = { ...this.#clock, at };
    for (const { fail, acknowledge } of decisions) done.ok ? acknowledge() : fail(done.reason);
    if (done.ok) for (const listener of this.#listeners) listener();
  }
}
