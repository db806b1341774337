// The one conversation of a gate: its name, where it stands, and whether that is on record. Another one is taken up with its own label.

import { type Conversation, formatLabel, openConversation } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { Keeper, type KeeperParts } from "./keeping.ts";
import { type BrokersRow, getBrokersRow } from "./reserving.ts";
import { describeRow } from "./sentences.ts";

/** The conversation of a person who calls a tool before the loop has named one; our loop uses the same. */
const FIRST_CONVERSATION = "main";

/** A conversation that is taken up, and where it stands. */
export interface Opened {
  readonly name: string;
  readonly conversation: Conversation;
  /** The highest that was counted in it. */
  readonly turn: number;
  /** Words may be in it that were said before, whatever its turn is: a copy has none of its own. */
  readonly isTakenUp: boolean;
}

/** Whether anybody is there, as a person says. */
export type Presence = "there" | "away";

export class Conversing {
  readonly #parts: KeeperParts;
  readonly #keeper: Keeper;
  #state: Conversation;
  /** One at a time, and another only as `takeUp` has it: with its own label, and a loop that knows of none. */
  #name: string | undefined;
  /** What is said in it is kept, so that it may be taken up again. */
  #isStored = false;
  #isTakenUp = false;
  /** What is on record of it does not stand below it. */
  #isKept = true;
  /** The highest turn of each conversation of this run: a turn's number is never given twice. */
  readonly #turns = new Map<string, number>();

  constructor(parts: KeeperParts, state: Conversation) {
    this.#parts = parts;
    this.#state = state;
    this.#keeper = new Keeper(parts);
  }

  get state(): Conversation {
    return this.#state;
  }

  /** Nothing as long as nobody named it. */
  get named(): string | undefined {
    return this.#name;
  }

  get name(): string {
    return this.#name ?? FIRST_CONVERSATION;
  }

  get isTakenUp(): boolean {
    return this.#isTakenUp;
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  get row(): BrokersRow {
    return getBrokersRow(this.#parts.tables, this.#state);
  }

  /** "phase look of task triage". */
  get words(): string {
    return describeRow(this.#parts.tables, this.#state);
  }

  /** The first name stays. */
  nameOnce(name = FIRST_CONVERSATION): void {
    this.#name ??= name;
  }

  /** The store has opened it under this name. */
  nameStored(name: string): void {
    this.nameOnce(name);
    this.#isStored = true;
  }

  /** A conversation at its beginning. */
  openNew(name: string): Result<Opened> {
    const conversation = openConversation(this.#parts.tables, this.#parts.session);
    return conversation === undefined
      ? refuse("the session has no row")
      : accept({ name, conversation, turn: 0, isTakenUp: false });
  }

  /** `as`: taken up where the conversation `name` stands, this one being in `turn`; where nobody can tell it is refused. */
  async openStanding(name: string, as: string, turn: number): Promise<Result<Opened>> {
    if (name === this.#name) return accept({ name: as, conversation: this.#state, turn, isTakenUp: true });
    const standing = await this.#keeper.loadStanding(name);
    if (standing === undefined) return refuse("the broker does not tell where it stands");
    const highest = as === name ? Math.max(standing.turn, this.#turns.get(name) ?? 0) : 0;
    return accept({ name: as, conversation: standing.conversation, turn: highest, isTakenUp: true });
  }

  /** Another one, this one having come to `turn`. In words. */
  takeUp({ name, conversation, isTakenUp }: Opened, turn: number): string {
    this.#turns.set(this.name, turn);
    this.#name = name;
    this.#isStored = true;
    this.#isTakenUp = isTakenUp;
    this.move(conversation);
    return `${name} at ${formatLabel(this.#parts.tables.lattice, conversation.label)}, in ${this.words}`;
  }

  /** The broker counts, and not the gate: a counter that nobody advances must not begin above nothing. */
  move(conversation: Conversation): void {
    const { unattended } = this.#state;
    this.#state = { ...conversation, unattended, spent: conversation.spent.map(() => 0n) };
  }

  /** Whether anybody is there is not for a call to change. */
  become(conversation: Conversation): void {
    this.#state = { ...conversation, unattended: this.#state.unattended };
  }

  attend(presence: Presence): void {
    this.#state = { ...this.#state, unattended: presence === "away" };
  }

  /** Before a label is raised any word of what raised it is told: a conversation is not taken up below it. */
  async keep(turn: number, conversation: Conversation = this.#state): Promise<boolean> {
    this.#isKept = !this.#isStored || (await this.#keeper.keep(this.name, conversation, turn));
    return this.#isKept;
  }

  /** As its first turn begins. */
  keepFirst(turn: number): void {
    if (this.#isStored) this.#keeper.keepFirst(this.name, this.#state, turn);
  }

  /** Why what was kept of where it stood is not gone; nothing where it is. */
  forget(name: string): Promise<string | undefined> {
    return this.#keeper.forget(name);
  }
}
