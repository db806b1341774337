// Tracks presence in the session: logins and logouts, idle time, `/away`, and the turns that a person begins.
import type { IndexedTables } from "../../lib/policy/index.ts";
import { Broker, type Notice } from "../../lib/wire/generated/wire.ts";
import type { Conversing, Presence } from "./conversing.ts";
import { runAfter } from "./deadline.ts";
import { IdleLock } from "./idle-lock.ts";
import type { Models } from "./models.ts";
import type { Offered } from "./offered.ts";
import type { Note } from "./parts.ts";
import { NEIGHBOUR_MS, type Neighbour, type Person } from "./ports.ts";
import type { Seat } from "./seat.ts";
import type { Sequence } from "./sequence.ts";
import { getTimeouts } from "./timeouts.ts";
import type { Turns } from "./turns.ts";

interface SessionParts {
  readonly tables: IndexedTables;
  readonly person: Person;
  readonly broker: Neighbour;
  readonly models: Models;
  readonly seat: Seat;
  readonly conversing: Conversing;
  readonly turns: Turns;
  readonly sequence: Sequence;
  readonly offered: Offered;
  readonly note: Note;
}

export class Session {
  readonly #parts: SessionParts;
  readonly #idleLock = new IdleLock((why) => void this.lock(why));
  #disarmLogin = () => {};

  /** Creates the session. Its time begins now, or with a login if the page demands one. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { loginMs } = this.#timeouts;
    if (loginMs > 0 && !parts.seat.hasLogin) runAfter(loginMs, () => this.#end());
  }

  /** Returns the person with these guards: a locked session draws no notice, and an open question prevents the lock. */
  guardPerson(): Person {
    const { person, seat } = this.#parts;
    return {
      ...person,
      // A person at a locked screen must not see text of a loop or the outcome of a running call.
      announce: (notice: Notice) => void (seat.isLocked || person.announce(notice)),
      ask: (question, signal) => this.#idleLock.waitWhileAsking(() => person.ask(question, signal)),
    };
  }

  /** Begins a turn of a person, and stops unfinished work of the previous turn. Returns the number that the turn's calls must contain. */
  beginTurn(): number {
    this.touch();
    return this.#parts.turns.begin("loop");
  }

  /** Admits a principal whom the broker has verified and whose login is recorded; a person is then present. */
  enter(principal: string): void {
    const { seat, sequence, conversing } = this.#parts;
    const { loginMs, idleMs } = this.#timeouts;
    seat.take(principal);
    this.#idleLock.begin(idleMs);
    if (loginMs > 0) this.#disarmLogin = runAfter(loginMs, () => void this.lock("the page's time for a login is over"));
    // Run this after any waiting `/away`, which an earlier person or the same person may have given.
    void sequence.run(async () => conversing.state.unattended && this.#attend("there"));
  }

  /** Locks the session: running calls end, consents become void, and the screen is cleared. */
  async lock(why: string): Promise<void> {
    const { seat, turns, person, broker, models, note } = this.#parts;
    const { principal } = seat;
    if (principal === "") return;
    seat.leave();
    this.#disarmLogin();
    this.#idleLock.end();
    turns.end("locked");
    const told = person.lock();
    note("logout", `${principal}: ${why}`);
    const left = await broker.call(Broker.methods.logout, {}, { timeoutMs: NEIGHBOUR_MS });
    if (left.ok) void models.withdrawLeases(left.value.taken);
    await told;
  }

  /** Milliseconds without input after which the session locks; 0 if it does not. `page`: the time that the page sets. */
  get lockTimes(): { readonly page: number; readonly held: number } {
    return { page: this.#idleLock.pageMs, held: this.#idleLock.ms };
  }

  /**
   * Sets the milliseconds without input after which the session locks, unless the page's time is shorter. 0 restores the page's time. The
   * setting applies until the session locks.
   */
  lockAfter(ms: number): void {
    this.#idleLock.setOwn(ms);
  }

  /** Notes that the person was active. */
  touch(): void {
    this.#idleLock.touch();
  }

  /** Notes that the conversation has moved to another row, which may have another idle time. */
  heedMove(): void {
    this.#idleLock.moveTo(this.#timeouts.idleMs);
  }

  /** Sets whether a person is present. This happens after the current work; questions that are open by then remain. */
  attend(presence: Presence): Promise<void> {
    return this.#parts.sequence.run(async () => this.#attend(presence));
  }

  #attend(presence: Presence): void {
    const { conversing, offered, note } = this.#parts;
    conversing.attend(presence);
    // The page may allow fewer tools while no person is present.
    offered.withdraw();
    note(presence === "there" ? "back" : "away", conversing.name);
  }

  #end(): void {
    const { turns, note } = this.#parts;
    turns.endAll("sessionTime");
    note("ended", "the page's time for a session is over");
  }

  get #timeouts() {
    return getTimeouts(this.#parts.tables, this.#parts.conversing.state);
  }
}
