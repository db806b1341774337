// Tracks which conversation of the session is open, and opens another conversation. A loop that has read one conversation may know data
// that must not flow into another. Therefore init restarts the loop before another conversation is opened, and the new loop reads only from
// the store.
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { nameSeat } from "../../lib/roles/names.ts";
import { ConversationStore } from "../../lib/wire/generated/conversations.ts";
import { Supervisor } from "../../lib/wire/generated/wire.ts";
import type { MethodLayout } from "../../lib/wire/index.ts";
import type { Opened } from "./conversing.ts";
import type { Gate } from "./gate.ts";
import { askNeighbour, type Neighbour } from "./ports.ts";

/** Milliseconds within which a restarted process must be ready. Init has the same limit, which is long because a busy machine is slow. */
const START_MS = 120_000;

interface ArchiveParts {
  /** The store of conversations. */
  readonly store: Neighbour;
  readonly supervisor: Neighbour;
}

export class Archive {
  readonly #parts: ArchiveParts;

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
  }

  /** Calls the store. Fails with the store's reason, or if the store does not answer. */
  ask<P, R>(method: MethodLayout<P, R>, params: P): Promise<Result<R>> {
    return askNeighbour(this.#parts.store, "the conversations do not answer", method, params);
  }

  /** Returns the recalled sayings of a conversation that the store gave the loop since the last call. */
  async takeRecalled(conversation: string): Promise<readonly bigint[]> {
    const taken = await this.ask(ConversationStore.methods.takeRecalled, {});
    return taken.ok && taken.value.conversation === conversation ? taken.value.sequences : [];
  }

  /**
   * Tells the store that a person has begun a turn, before the loop gets the person's line. `said` is the SHA-256 of
   * the line.
   */
  async beginTurn(said: Uint8Array): Promise<void> {
    await this.ask(ConversationStore.methods.beginTurn, { said });
  }

  /**
   * Begins the first conversation of the machine's run. Fails if the store cannot begin it: sayings are then not
   * stored, and the gate names the conversation itself.
   */
  async beginFirst(): Promise<Result<string>> {
    const begun = await this.ask(ConversationStore.methods.begin, {});
    if (!begun.ok) return begun;
    const { conversation } = begun.value;
    const opened = await this.#open(conversation);
    return opened.ok ? accept(conversation) : opened;
  }

  /** Continues in a new conversation. Resolves with the reason if no new conversation could be opened, otherwise with `undefined`. */
  begin(gate: Gate): Promise<string | undefined> {
    return this.#switch(gate, async () => {
      const begun = await this.ask(ConversationStore.methods.begin, {});
      return begun.ok ? gate.moves.openNew(begun.value.conversation) : begun;
    });
  }

  resume(gate: Gate, name: string): Promise<string | undefined> {
    return this.#switch(gate, async () => {
      const known = await this.ask(ConversationStore.methods.read, { conversation: name, after: 0n, mostBytes: 0 });
      return known.ok ? gate.moves.openStanding(name, name) : known;
    });
  }

  /**
   * Continues in a copy of a conversation. The copy gets the present label of the conversation, because the label at an
   * earlier saying is not known. Resolves with the reason if this fails, otherwise with `undefined`.
   */
  fork(gate: Gate, name: string, through: bigint): Promise<string | undefined> {
    return this.#switch(gate, async () => {
      const forked = await this.ask(ConversationStore.methods.fork, { conversation: name, through });
      return forked.ok ? gate.moves.openStanding(name, forked.value.fork) : forked;
    });
  }

  /**
   * Switches to the conversation that `choose` returns with its state. If the returned conversation cannot be opened,
   * the old one stays open. Resolves with the reason if this fails, otherwise with `undefined`.
   */
  #switch(gate: Gate, choose: () => Promise<Result<Opened>>): Promise<string | undefined> {
    return gate.moves.switchTo(async () => {
      const before = gate.place.conversation;
      const chosen = await choose();
      if (!chosen.ok) return chosen;
      const { session, ingress } = gate.parts;
      const emptied = await this.#restartLoop(`loop.${nameSeat(session, ingress)}`);
      const opened = emptied.ok ? await this.#open(chosen.value.name) : emptied;
      if (opened.ok) return chosen;
      await this.#open(before);
      return opened;
    });
  }

  /** Opens a conversation; an empty name closes the open one. */
  #open(conversation: string) {
    return this.ask(ConversationStore.methods.open, { conversation });
  }

  /**
   * Restarts the loop. No conversation is open until the loop that has read the old conversation has ended. Fails if
   * init could not restart the loop.
   */
  async #restartLoop(name: string): Promise<Result<true>> {
    const closed = await this.#open("");
    if (!closed.ok) return closed;
    const reply = await this.#parts.supervisor.call(Supervisor.methods.restart, { name }, { timeoutMs: START_MS });
    return reply.ok ? accept(true) : refuse(`the agent could not be started again: ${reply.reason}`);
  }
}
