// Conversations of all sessions in one database. Every method has the caller's session as a parameter; the grant of the
// call determines the session.

import type { DatabaseSync } from "node:sqlite";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { classifySqlFault, Sql, transact } from "../../lib/sqlite/index.ts";
import type { Hit, Saying, Window } from "../../lib/wire/generated/conversations.ts";
import { Allowance } from "./allowance.ts";
import { addVectors, keepVectorsInMemory, limitPages } from "./database.ts";
import { MAX_AT_ONCE, RESERVED_PAGES } from "./limits.ts";
import { Vectors } from "./meaning/vectors.ts";
import {
  findLastSequence,
  type Listing,
  listOf,
  measureUsage,
  NONE_OPEN,
  openIn,
  type RecentConversation,
  readOf,
  readRecent,
  type SearchQuery,
  SPOILED,
  searchIn,
  type Usage,
} from "./reading.ts";
import type { RecallRequest } from "./recalling.ts";
import { type Recall, type RecalledSayings, RecallRegistry } from "./recalls.ts";
import type { Reserve } from "./reserve.ts";
import { appendTo, beginIn, eraseSome, forkOf, giveBackSome, markForgotten, type WallMs } from "./writing.ts";

/** The clock and the boot ID that a store takes from its machine. */
export interface World {
  /** Returns milliseconds since 1970 by a clock that may jump: times are shown, but never used for order. */
  readonly now: () => number;
  /** ID of this run of the machine. */
  readonly bootId: string;
}

interface StoreParts {
  readonly database: DatabaseSync;
  readonly world: World;
  /** Absent if the store is in memory. */
  readonly reserve: Reserve | undefined;
  /** Reason why data is lost when the machine stops; empty if the store is on disk. */
  readonly reason: string;
  /** Description of the files that this start moved aside; empty if there are none. */
  readonly moved: string;
  /** Prefix of the names of conversations. */
  readonly prefix: string;
}

export const FULL = "there is no room on the disk; /forget makes some";

export class Store {
  readonly #sql: Sql;
  readonly #parts: StoreParts;
  readonly #windows = new Map<string, { readonly conversation: string; readonly window: Window }>();
  readonly #recalls: RecallRegistry;
  readonly #allowances = new Map<string, Allowance>();
  readonly vectors: Vectors;
  /** Reason why writing has stopped. It stops when the disk fails, because acknowledged data may be lost by then. */
  #broken: string | undefined;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#sql = new Sql(parts.database);
    this.#recalls = new RecallRegistry(this.#sql);
    const guards = { read: this.#guard.bind(this), change: this.#change.bind(this) };
    this.vectors = new Vectors(this.#sql, guards);
    const added = this.#runWithReserve(() => accept(addVectors(parts.database)));
    // If the disk has no space for the table of vectors, this table is in memory until the store ends. So a person can
    // still forget conversations on a full disk.
    const hasVectors = added.ok ? added : this.#guard(() => accept(keepVectorsInMemory(parts.database)));
    if (!hasVectors.ok) this.#broken = hasVectors.reason;
    this.#guard(() => this.#tidy());
  }

  get durable(): boolean {
    return this.#parts.reserve !== undefined && this.#broken === undefined;
  }

  /** Reason why the store is not durable. */
  get reason(): string {
    return this.#broken ?? this.#parts.reason;
  }

  get moved(): string {
    return this.#parts.moved;
  }

  /**
   * Begins a conversation, and returns its name, which was never used before. A conversation without sayings that is
   * not open is deleted when the session begins another one, or when the store starts again.
   */
  begin(session: string): Result<string> {
    return this.#runWithReserve(() => beginIn(this.#sql, session, this.#parts.prefix, this.#at));
  }

  /**
   * Opens a conversation: from now on, the session's loop may read and append only to this conversation. If the name is
   * empty, no conversation is open. Returns the sequence number of the conversation's last saying. Fails if the
   * conversation does not exist.
   */
  open(session: string, conversation: string): Result<bigint> {
    return this.#runWithReserve(() => {
      this.#sql.run("DELETE FROM opened WHERE session = ?", session);
      if (conversation === "") return accept(0n);
      const last = findLastSequence(this.#sql, session, conversation);
      const { bootId } = this.#parts.world;
      if (last.ok) this.#sql.run("INSERT INTO opened VALUES (?, ?, ?)", session, bootId, conversation);
      return last;
    });
  }

  /**
   * Appends all sayings to the open conversation, or none. Returns the sequence number of the last saying. Fails if
   * `conversation` is not the open one.
   */
  append(session: string, conversation: string, sayings: readonly Saying[]): Result<bigint> {
    if (sayings.length > MAX_AT_ONCE) return refuse(`${MAX_AT_ONCE} sayings at a time are the most`);
    return this.#change(() => {
      const open = this.#open(session);
      if (open === undefined) return refuse(NONE_OPEN);
      if (open !== conversation) return refuse("another conversation is open");
      return appendTo(this.#sql, { session, conversation, sayings, at: this.#at });
    });
  }

  /** Begins a turn of a person in the session; `said` is the SHA-256 of the line that the person typed. */
  beginTurn(session: string, said: Uint8Array): void {
    this.#getAllowance(session).begin(said);
  }

  /**
   * Appends sayings like `append`. Also fails if the text of a person is not what the person typed, or if the loop
   * would exceed its limit for one turn.
   */
  appendOfLoop(session: string, conversation: string, sayings: readonly Saying[]): Result<bigint> {
    const allowance = this.#getAllowance(session);
    const objection = allowance.findObjection(sayings);
    if (objection !== undefined) return refuse(objection);
    const kept = this.append(session, conversation, sayings);
    if (kept.ok) allowance.spend(sayings);
    return kept;
  }

  #getAllowance(session: string): Allowance {
    const allowance = this.#allowances.get(session) ?? new Allowance();
    this.#allowances.set(session, allowance);
    return allowance;
  }

  /** Returns the newest sayings of the open conversation. Fails if none is open. */
  readRecentSayings(session: string): Result<RecentConversation> {
    return this.#guard(() => readRecent(this.#sql, session, this.#parts.world.bootId));
  }

  /** Keeps in memory which part of the conversation a loop shows its model, as the loop reports it. */
  recordWindow(session: string, conversation: string, window: Window): void {
    this.#windows.set(session, { conversation, window });
  }

  /** Returns the window that the loop reported for the open conversation; fails if there is none. */
  window(session: string): Result<Window> {
    return this.#guard(() => {
      const told = this.#windows.get(session);
      const isOpen = told !== undefined && told.conversation === this.#open(session);
      return isOpen ? accept(told.window) : refuse("the agent has not asked its model anything yet");
    });
  }

  /**
   * Recalls sayings of the open conversation. Fails if the request names another conversation. `near` lists rows of
   * sayings that are near in meaning to the request, nearest first.
   */
  recall(session: string, wanted: RecallRequest, near: readonly bigint[] = []): Result<Recall> {
    return this.#guard(() => {
      const isOpen = this.#open(session) === wanted.conversation;
      return isOpen ? this.#recalls.find(session, wanted, near) : refuse("another conversation is open");
    });
  }

  /** Returns whether `recall` is on for the session's loop. Fails if the file cannot be read. */
  readRecalling(session: string): Result<boolean> {
    return this.#guard(() => accept(this.#recalls.isOn(session)));
  }

  setRecall(session: string, isOn: boolean): Result<true> {
    return this.#runWithReserve(() => accept(this.#recalls.set(session, isOn)));
  }

  takeRecalled(session: string): RecalledSayings {
    return this.#recalls.take(session);
  }

  list(session: string, most: number): Result<Listing> {
    return this.#guard(() => accept(listOf(this.#sql, session, most)));
  }

  read(session: string, conversation: string, after: bigint, mostBytes: number) {
    return this.#guard(() => readOf(this.#sql, { session, conversation, after, mostBytes }));
  }

  fork(session: string, conversation: string, through: bigint): Result<string> {
    const from = { conversation, through };
    return this.#change(() => forkOf(this.#sql, { session, from, prefix: this.#parts.prefix, at: this.#at }));
  }

  /** Searches conversations. `near` lists rows of sayings that are near in meaning to the query, nearest first. */
  search(session: string, sought: SearchQuery, near: readonly bigint[] = []): Result<readonly Hit[]> {
    return this.#guard(() => searchIn(this.#sql, session, sought, near));
  }

  /**
   * Forgets a conversation and overwrites its words in the file. Fails if the conversation is open or does not exist.
   * The conversation is hidden from the first step on; the next start removes what a crash leaves.
   */
  forget(session: string, conversation: string): Result<true> {
    const marked = this.#runWithReserve(() => {
      if (this.#open(session) === conversation) return refuse("it is the one that is open");
      return markForgotten(this.#sql, session, conversation);
    });
    return marked.ok ? this.#erase(conversation) : marked;
  }

  readUsage(session: string): Result<Usage> {
    return this.#guard(() => accept(measureUsage(this.#sql, session)));
  }

  close(): void {
    this.#sql.database.close();
  }

  /** Removes the remains of an earlier run: conversations that were being forgotten, and those without a saying. */
  #tidy(): Result<true> {
    this.#sql.run("DELETE FROM opened WHERE boot <> ?", this.#parts.world.bootId);
    this.#sql.run("DELETE FROM conversations WHERE sayings = 0 AND id NOT IN (SELECT conversation FROM opened)");
    const forgotten = this.#sql.findAll("SELECT id FROM conversations WHERE forgotten = 1");
    for (const { id } of forgotten) this.#erase(String(id));
    return accept(true);
  }

  #erase(conversation: string): Result<true> {
    this.vectors.countErasure();
    for (;;) {
      const isGone = this.#runWithReserve(() => accept(eraseSome(this.#sql, conversation)));
      if (!isGone.ok) return isGone;
      if (isGone.value) return this.#giveBack();
    }
  }

  /** Returns unused pages to the disk. */
  #giveBack(): Result<true> {
    for (;;) {
      const given = this.#runWithReserve(() => accept(giveBackSome(this.#sql)));
      if (!given.ok || !given.value) return accept(true);
    }
  }

  /**
   * Runs a change that may use the reserve if there is no other space. Only changes for a gate may use the reserve: if
   * a loop could use it up, a person could neither leave nor forget a conversation.
   */
  #runWithReserve<T>(run: () => Result<T>): Result<T> {
    const { database } = this.#sql;
    limitPages(database, 0);
    let done = this.#change(run);
    if (!done.ok && done.reason === FULL) {
      this.#parts.reserve?.release();
      done = this.#change(run);
      this.#parts.reserve?.fill();
    }
    limitPages(database, RESERVED_PAGES);
    return done;
  }

  #open(session: string): string | undefined {
    return openIn(this.#sql, session, this.#parts.world.bootId);
  }

  /** Returns the time in whole milliseconds since 1970, or 0 if the clock shows an earlier time. */
  get #at(): WallMs {
    const ms = this.#parts.world.now();
    return Number.isSafeInteger(Math.trunc(ms)) && ms > 0 ? BigInt(Math.trunc(ms)) : 0n;
  }

  #change<T>(run: () => Result<T>): Result<T> {
    if (this.#broken !== undefined) return refuse(this.#broken);
    return this.#guard(() => transact(this.#sql.database, run));
  }

  #guard<T>(run: () => Result<T>): Result<T> {
    try {
      return run();
    } catch (error) {
      const fault = classifySqlFault(error);
      if (fault === undefined) throw error;
      switch (fault.fault) {
        case "full":
          return refuse(FULL);
        case "spoiled":
          return refuse(SPOILED);
        case "broken":
          this.#broken = `the disk failed: ${fault.words}`;
          return refuse(this.#broken);
      }
    }
  }
}
