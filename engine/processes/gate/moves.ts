// Moves the conversation: into a task, to its next phase, or to another conversation. Offers and permits for the old
// state are void after the move.

import { type Conversation, enterPhase, indexChosen, openTask, type Passage } from "../../lib/policy/index.ts";
import { type Result, refuse } from "../../lib/result/result.ts";
import type { Cancel } from "../../lib/wire/index.ts";
import type { Conversing, Opened } from "./conversing.ts";
import type { Memory } from "./memory.ts";
import type { Offered } from "./offered.ts";
import type { GateParts, Note } from "./parts.ts";
import type { Seat } from "./seat.ts";
import { explainClosed } from "./sentences.ts";
import type { Sequence } from "./sequence.ts";
import type { Session } from "./session.ts";
import type { Entry } from "./sources.ts";
import { passStep, type Step } from "./step.ts";
import { STOP_WORDS } from "./turn.ts";
import type { Turns } from "./turns.ts";

interface MovesParts extends GateParts {
  readonly seat: Seat;
  readonly session: string;
  readonly conversing: Conversing;
  readonly turns: Turns;
  readonly sequence: Sequence;
  readonly offered: Offered;
  readonly memory: Memory;
  readonly login: Pick<Session, "heedMove">;
  readonly note: Note;
}

/** A task that a person begins, with the values of its parameters. */
interface BegunTask extends Pick<Chosen, "chosen" | "entry"> {
  readonly task: string;
}

/**
 * Whether a person begins a task or enters a phase, with which values of the task's parameters, and how the command was
 * entered.
 */
interface Chosen extends Pick<Step, "kind" | "chosen"> {
  readonly entry: Entry;
}

/** How a person begins a task although the open conversation has begun. */
const WAY_ON = "type /new, then repeat the command";

export const SWITCHING = "another conversation is being taken up";

export class Moves {
  readonly #parts: MovesParts;
  /** Number of conversations, new or stored, that wait to be opened or are being opened. */
  #switches = 0;

  constructor(parts: MovesParts) {
    this.#parts = parts;
  }

  /** Whether another conversation is being opened; if so, no proposal is accepted. */
  get isSwitching(): boolean {
    return this.#switches > 0;
  }

  /** Resolves when no conversation is being opened: a turn that begins earlier would belong to the old conversation. */
  async waitUntilSettled(): Promise<void> {
    while (this.isSwitching) await this.#parts.sequence.run(async () => {});
  }

  /** Returns a new conversation with this name. Fails if the tables have no row for the gate's session. */
  openNew(name: string): Result<Opened> {
    return this.#parts.conversing.openNew(name);
  }

  /**
   * Opens the conversation `as` with the recorded state of the conversation `name`. Fails if the recorded state is not
   * known.
   */
  openStanding(name: string, as: string): Promise<Result<Opened>> {
    return this.#parts.conversing.openStanding(name, as, this.#parts.turns.now.number);
  }

  /**
   * Forgets a conversation whose words are already deleted. Resolves with the reason why the conversation's recorded
   * state may still exist, or with `undefined`.
   */
  forget(name: string): Promise<string | undefined> {
    this.#parts.parking.forget(name);
    return this.#parts.conversing.forget(name);
  }

  /**
   * Switches to another conversation, once all earlier work is done; no proposal is accepted meanwhile. Resolves with the reason if
   * the other conversation was not opened, otherwise with `undefined`.
   */
  async switchTo(take: () => Promise<Result<Opened>>): Promise<string | undefined> {
    const { turns, sequence } = this.#parts;
    turns.end("over");
    this.#switches += 1;
    return sequence
      .run(async () => {
        await this.#keep();
        const taken = await take();
        if (taken.ok) await this.#takeUp(taken.value);
        return taken.ok ? undefined : taken.reason;
      })
      .finally(() => {
        this.#switches -= 1;
      });
  }

  async #takeUp(opened: Opened): Promise<void> {
    const { conversing, turns, memory, note } = this.#parts;
    const words = conversing.takeUp(opened, turns.now.number);
    memory.leaveConversation();
    this.#withdrawWhatWasGiven();
    turns.goOnAfter(opened.turn);
    note("conversation", words);
    // Record the state before the first turn, because a copy already has words: without a record the copy would be resumed
    // at the highest label.
    await this.#keep();
  }

  /**
   * Begins a task, which is possible only before anything was said or called in the conversation. Resolves with the
   * reason if the task did not begin, otherwise with `undefined`.
   */
  async beginTask({ task, chosen, entry }: BegunTask, signal: Cancel): Promise<string | undefined> {
    const { conversing, turns, tables, session } = this.#parts;
    const choose = () => {
      if (conversing.row.task !== "") return refuse(`this conversation is in ${conversing.words}; ${WAY_ON}`);
      // The task begins at the label of its own row, so the conversation must not contain earlier text. If the
      // session requires a task, nothing can have run before it.
      const hasRun = turns.now.number > 0 && explainClosed(tables, conversing.state) === undefined;
      if (conversing.isTakenUp || hasRun) return refuse(`a task needs a new conversation; ${WAY_ON}`);
      return openTask(tables, session, task, indexChosen(chosen));
    };
    return this.#stepInto({ kind: "task", chosen, entry }, signal, choose);
  }

  /** Enters a later phase of the task. Resolves with the reason if the phase was not entered, otherwise with `undefined`. */
  enterPhase(phase: string, signal: Cancel): Promise<string | undefined> {
    const { conversing, tables } = this.#parts;
    return this.#stepInto({ kind: "phase", chosen: [], entry: "typed" }, signal, () =>
      enterPhase(tables, conversing.state, phase),
    );
  }

  /**
   * Makes a step after the calls that are under way, and before later calls. So no call is decided partly in one row
   * and partly in another.
   */
  #stepInto(
    { kind, chosen, entry }: Chosen,
    signal: Cancel,
    choose: () => Result<Passage>,
  ): Promise<string | undefined> {
    const { conversing, turns, sequence, seat } = this.#parts;
    // The broker counts quotas for each conversation by its name. So fix the name before the step is charged: otherwise
    // the loop could choose another name, whose quotas are unused.
    conversing.nameOnce();
    return sequence.run(async () => {
      if (seat.isLocked) return STOP_WORDS.locked;
      if (signal.aborted) return "it was given up while a call was under way";
      const { over } = turns;
      const opened = over === undefined ? choose() : refuse(STOP_WORDS[over]);
      if (!opened.ok) return opened.reason;
      const step = { kind, chosen, before: conversing.state, passage: opened.value, place: turns.place, signal };
      const refusal = await passStep(this.#parts, step);
      if (refusal !== undefined) return refusal;
      if (seat.isLocked) return STOP_WORDS.locked;
      conversing.hearChosen(chosen, entry);
      if (!(await this.#keep(opened.value.conversation)))
        return "where the conversation stands could not be put on record";
      conversing.move(opened.value.conversation);
      this.#withdrawWhatWasGiven();
      return undefined;
    });
  }

  /** Withdraws the list of tools and the permit, because the row or the open conversation has changed. */
  #withdrawWhatWasGiven(): void {
    const { offered, login, models } = this.#parts;
    offered.withdraw();
    login.heedMove();
    void models.withdraw();
  }

  #keep(conversation?: Conversation): Promise<boolean> {
    const { conversing, turns } = this.#parts;
    return conversing.keep(turns.now.number, conversation);
  }
}
