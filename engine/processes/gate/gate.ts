// The gate of one session, between a proposal and its effect. The gate receives only framed and bounded text, counts the turns, and is
// the only process that holds the session's services. This file assembles its units; each unit has only the data and connections that it
// is given.
import type { Conversation } from "../../lib/policy/index.ts";
import type { Piece } from "../../lib/wire/generated/wire.ts";
import { beginState } from "./beginning.ts";
import { Services } from "./call/services.ts";
import { Calls } from "./calls.ts";
import { CommandQueue } from "./command-queue.ts";
import { Conversing } from "./conversing.ts";
import { DrawLater } from "./draw-later.ts";
import { LoopCalls } from "./loop-calls.ts";
import { Memory } from "./memory.ts";
import type { Moment } from "./models.ts";
import { Moves } from "./moves.ts";
import { Offered } from "./offered.ts";
import { Offering } from "./offering.ts";
import type { GateParts, GivenParts, Note } from "./parts.ts";
import { PersonCalls } from "./person-calls.ts";
import { PlanTurns } from "./plan-turns.ts";
import { Recording, recordEvent } from "./recording.ts";
import { type BrokersRow, Charges } from "./reserving.ts";
import { Seat } from "./seat.ts";
import { Sequence } from "./sequence.ts";
import { Session } from "./session.ts";
import { Turns } from "./turns.ts";

/** Milliseconds after which a call without a question is drawn as running; a person would not see shorter calls. */
const DRAWN_AFTER_MS = 40;

export class Gate {
  readonly parts: GateParts;
  readonly memory = new Memory();
  /** Commands of the person that have an effect. */
  readonly commands = new CommandQueue();
  readonly seat: Seat;
  readonly services: Pick<Services, "names" | "isGranted" | "isRevoked">;
  readonly session: Session;
  readonly moves: Moves;
  readonly offering: Offering;
  readonly calls: Calls;
  readonly loopCalls: LoopCalls;
  readonly personCalls: PersonCalls;
  readonly plans: PlanTurns;
  readonly #conversing: Conversing;
  readonly #turns: Turns;
  readonly #sequence = new Sequence();

  private constructor({ providers, ...given }: GivenParts, first: Conversation) {
    const note: Note = (event, detail) => void recordEvent(given, event, detail);
    const conversing = new Conversing(given, first);
    // Tasks of an ingress have no principal, so nobody logs in.
    const seat = new Seat(given.ingress === undefined ? given.tables.rows[first.row]?.login : "none");
    const offered = new Offered();
    const turns = new Turns({ ...given, seat, conversing, offered });
    const within = { seat, conversing, offered, turns, sequence: this.#sequence, memory: this.memory, note };
    this.session = new Session({ ...given, ...within });
    this.parts = { ...given, person: this.session.guardPerson() };
    this.moves = new Moves({ ...this.parts, ...within, login: this.session });
    this.offering = new Offering({ ...this.parts, ...within, moves: this.moves });
    const services = new Services(providers);
    this.services = services;
    const recording = new Recording(given);
    const kept = { services, recording, charges: new Charges(given.broker), later: new DrawLater(DRAWN_AFTER_MS) };
    this.calls = new Calls({ ...this.parts, ...within, ...kept });
    const calling = { ...within, moves: this.moves, calls: this.calls };
    this.loopCalls = new LoopCalls({ ...this.parts, ...calling });
    this.personCalls = new PersonCalls({ ...this.parts, ...calling });
    this.plans = new PlanTurns({ ...this.parts, ...calling, recording, personCalls: this.personCalls }, first);
    this.seat = seat;
    this.#conversing = conversing;
    this.#turns = turns;
  }

  /** Returns the gate of a session or an ingress, or `undefined` if `beginState` returns no conversation. */
  static open(parts: GivenParts): Gate | undefined {
    const first = beginState(parts);
    return first && new Gate(parts, first);
  }

  /** Sets the name of the conversation that the store has opened; without this call, the loop's first request names the conversation. */
  nameAs(name: string): void {
    this.#conversing.nameStored(name);
  }

  get conversation(): Conversation {
    return this.#conversing.state;
  }

  /** Adds what a person has typed at the console to the sources. */
  hearPieces(pieces: readonly Piece[]): Promise<void> {
    return this.#conversing.hearPieces(pieces);
  }

  /** Row of the conversation. */
  get row(): BrokersRow {
    return this.#conversing.row;
  }

  /** The current conversation and turn, for which the broker counts. */
  get place(): { readonly conversation: string; readonly turn: number } {
    return this.#turns.place;
  }

  /** Current state of the conversation, by which questions, charges and permits are decided. */
  get moment(): Moment {
    return this.#turns.moment;
  }

  /** Records an event of the session, without waiting for it. */
  note(event: string, detail: string): void {
    void recordEvent(this.parts, event, detail);
  }

  /** Stops all running work at the person's request; the loop cannot prevent this. */
  interrupt(): void {
    this.commands.stop();
    this.#turns.end("stopped");
  }

  /** Ends the turn. Resolves once the running calls are recorded; calls of the turn that come later are refused. */
  endTurn(): Promise<void> {
    this.#turns.end("over");
    return this.#sequence.run(async () => {});
  }

  /**
   * Stops the gate because the machine stops: running calls end now. Resolves once the running calls are recorded and
   * all other calls are refused.
   */
  stop(): Promise<void> {
    this.#turns.endAll("machine");
    return this.#sequence.run(async () => {});
  }
}
