// Presence in the session: logins and their ends, idle time, `/away`, and the turns that a person begins.
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

  /** Creates the session. If the page limits the time of a session, the time starts now, or at the login if the page requires a login. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { loginMs } = this.#timeouts;
    if (loginMs > 0 && !parts.seat.hasLogin) runAfter(loginMs, () => this.#end());
  }

  /**
   * Returns the person to whom notices and questions of calls go. A locked session draws no notices; an open question
   * keeps the session from locking.
   */
  guardPerson(): Person {
    const { person, seat } = this.#parts;
    return {
      ...person,
      // A person at a locked screen must not see text of a loop, nor the outcome of a call that was running.
      announce: (notice: Notice) => void (seat.isLocked || person.announce(notice)),
      ask: (question, signal) => this.#idleLock.waitWhileAsking(() => person.ask(question, signal)),
    };
  }

  /** Begins a turn of a person, and stops unfinished work of the previous turn. Returns the number of the turn, which calls must name. */
  beginTurn(): number {
    this.touch();
    return this.#parts.turns.begin("loop");
  }

  /** Admits a principal whom the broker has verified and the audit has recorded, so that a person is present. */
  enter(principal: string): void {
    const { seat, sequence, conversing } = this.#parts;
    const { loginMs, idleMs } = this.#timeouts;
    seat.take(principal);
    this.#idleLock.begin(idleMs);
    if (loginMs > 0) this.#disarmLogin = runAfter(loginMs, () => void this.lock("the page's time for a login is over"));
    // A `/away` that was typed before this login may still wait to run, so mark the person as present only after it has run.
    void sequence.run(async () => conversing.state.unattended && this.#attend("there"));
  }

  /** Locks the session: running calls end, consents are void, and the screen is cleared. */
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

  /**
   * Milliseconds without input after which the session locks. `page` is the time that the page sets, and `held` is the
   * time that applies now. The value 0 means that the session does not lock.
   */
  get lockTimes(): { readonly page: number; readonly held: number } {
    return { page: this.#idleLock.pageMs, held: this.#idleLock.ms };
  }

  /**
   * Sets the time without input after which the session locks. If the page sets a shorter time, that one applies; 0
   * removes the person's time. The new time is valid until the session locks.
   */
  lockAfter(ms: number): void {
    this.#idleLock.setOwn(ms);
  }

  /** Notes that the person was active. */
  touch(): void {
    this.#idleLock.touch();
  }

  /** Notes that the conversation is in another row, which may have another idle time. */
  heedMove(): void {
    this.#idleLock.moveTo(this.#timeouts.idleMs);
  }

  /** Sets whether a person is present. The change is made after the current work; questions that are open at that time stay open. */
  attend(presence: Presence): Promise<void> {
    return this.#parts.sequence.run(async () => this.#attend(presence));
  }

  #attend(presence: Presence): void {
    const { conversing, offered, note } = this.#parts;
    conversing.attend(presence);
    // The page may allow other tools while nobody is present, so the loop must not use its tool table any more.
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
