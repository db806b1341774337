// The one conversation of a gate: its name, its state, and whether that state is recorded. When the gate changes to
// another conversation, it takes over the label of that conversation.

import { type ChosenParameter, type Conversation, formatLabel } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import type { Piece } from "../../lib/wire/generated/wire.ts";
import { beginState } from "./beginning.ts";
import type { HeardAnswer } from "./heard.ts";
import { Keeper, type KeeperParts } from "./keeping.ts";
import { type BrokersRow, getBrokersRow } from "./reserving.ts";
import { describeRow } from "./sentences.ts";
import { type Entry, type HeardWords, SourceKeeper } from "./sources.ts";

/** Name of the conversation if a person calls a tool before the loop has named a conversation; our loop uses the same name. */
const FIRST_CONVERSATION = "main";

/** A conversation that can be opened, with its state. */
export interface Opened {
  readonly name: string;
  readonly conversation: Conversation;
  /** The highest turn that was counted in the conversation. */
  readonly turn: number;
  /** Whether the conversation may contain earlier words. `turn` does not show this: it is 0 in a copy that has words. */
  readonly isTakenUp: boolean;
  /** Sources of the words that the conversation has read. */
  readonly heard: HeardWords;
}

/** Whether a person is present, as the person states. */
export type Presence = "there" | "away";

export class Conversing {
  readonly #parts: KeeperParts;
  readonly #keeper: Keeper;
  readonly #sources: SourceKeeper;
  #state: Conversation;
  /**
   * Name of the conversation. A gate has one conversation at a time. Only `takeUp` changes to another conversation,
   * which has its own label and gets a new loop.
   */
  #name: string | undefined;
  /** Whether the store keeps the conversation's sayings, so that the conversation can be resumed. */
  #isStored = false;
  #isTakenUp = false;
  /** Whether the recorded label is at least as high as the conversation's label. */
  #isKept = true;
  /** Highest turn of each conversation in this run: no number is used twice. */
  readonly #turns = new Map<string, number>();

  constructor(parts: KeeperParts, state: Conversation) {
    this.#parts = parts;
    this.#state = state;
    this.#keeper = new Keeper(parts);
    this.#sources = new SourceKeeper(parts);
  }

  /** State of the conversation, with the sources of everything that it has read so far. */
  get state(): Conversation {
    const sources = this.#sources.view;
    if (this.#state.sources !== sources) this.#state = { ...this.#state, sources };
    return this.#state;
  }

  /** Name of the conversation; `undefined` until it has one. */
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

  /** Description of the row, such as "phase look of task triage". */
  get words(): string {
    return describeRow(this.#parts.tables, this.#state);
  }

  /** Names the conversation, unless it has a name already. */
  nameOnce(name = FIRST_CONVERSATION): void {
    this.#name ??= name;
  }

  /** Names a conversation that the store has opened under this name. */
  nameStored(name: string): void {
    this.nameOnce(name);
    this.#isStored = true;
  }

  /** Returns a new conversation with this name. Fails if `beginState` returns none. */
  openNew(name: string): Result<Opened> {
    const conversation = beginState(this.#parts);
    return conversation === undefined
      ? refuse("the tables have no row for it")
      : accept({ name, conversation, turn: 0, isTakenUp: false, heard: this.#sources.openNew() });
  }

  /**
   * Returns the conversation `as` with the recorded state of the conversation `name`. If `name` is the conversation
   * that is open now, its present state is used, and `turn` is its turn. Fails if the recorded state is not known.
   */
  async openStanding(name: string, as: string, turn: number): Promise<Result<Opened>> {
    if (name === this.#name) {
      const heard = await this.#sources.copyNow(name, as);
      return accept({ name: as, conversation: this.#state, turn, isTakenUp: true, heard });
    }
    const standing = await this.#keeper.loadStanding(name);
    if (standing === undefined) return refuse("the broker does not tell where it stands");
    const heard = as === name ? await this.#sources.load(name) : await this.#sources.copy(name, as);
    // If the state was recorded under other tables, the conversation may have read sources that were not stored.
    if (!standing.isRecorded) heard.index.markIncomplete();
    const highest = as === name ? Math.max(standing.turn, this.#turns.get(name) ?? 0) : 0;
    return accept({ name: as, conversation: standing.conversation, turn: highest, isTakenUp: true, heard });
  }

  /** Switches to another conversation and returns its description. `turn` is the turn that the old conversation has reached. */
  takeUp({ name, conversation, isTakenUp, heard }: Opened, turn: number): string {
    this.#turns.set(this.name, turn);
    this.#name = name;
    this.#isStored = true;
    this.#isTakenUp = isTakenUp;
    this.#sources.takeUp(heard);
    this.move(conversation);
    return `${name} at ${formatLabel(this.#parts.tables.lattice, conversation.label)}, in ${this.words}`;
  }

  /**
   * Replaces the state of the conversation, but keeps `unattended`: whether a person is absent. The quota counters in
   * this state are set to zero, because only the broker counts quotas.
   */
  move(conversation: Conversation): void {
    const { unattended } = this.#state;
    this.#state = { ...conversation, unattended, spent: conversation.spent.map(() => 0n) };
  }

  /** Takes over the state after a call, but keeps `unattended`: a call cannot change whether a person is present. */
  become(conversation: Conversation): void {
    this.#state = { ...conversation, unattended: this.#state.unattended };
  }

  attend(presence: Presence): void {
    this.#state = { ...this.#state, unattended: presence === "away" };
  }

  /**
   * Returns whether the conversation can be resumed, but is not fully recorded. Its recorded label may be too low, or
   * some of its sources are not recorded yet.
   */
  get mustBeKept(): boolean {
    return this.#isStored && (!this.#isKept || this.#sources.isPending);
  }

  /**
   * Records a raised label before any word that raised it is passed on, because a conversation is never resumed below
   * its label. Returns false if the recorded label may be too low, or if the sources could not be recorded. The sources
   * are recorded before the state, so that a recorded state always has all of its sources.
   */
  async keep(turn: number, conversation: Conversation = this.#state): Promise<boolean> {
    this.#isKept =
      !this.#isStored ||
      ((await this.#sources.keep(this.name)) && (await this.#keeper.keep(this.name, conversation, turn)));
    return this.#isKept;
  }

  /** Records the conversation when its first turn begins. */
  keepFirst(turn: number): void {
    if (!this.#isStored) return;
    const { name } = this;
    const state = this.#state;
    if (this.#sources.isAsked)
      void this.#sources.keep(name).then((isKept) => isKept && this.#keeper.keepFirst(name, state, turn));
    else this.#keeper.keepFirst(name, state, turn);
  }

  /** Returns whether some rule of the page asks for the source of an argument. */
  get isListening(): boolean {
    return this.#sources.isAsked;
  }

  /**
   * Adds a person's line to the sources. Resolves once the line is recorded, or cannot be recorded. A line that cannot
   * be recorded does not count as a source.
   */
  async hearPieces(pieces: readonly Piece[]): Promise<void> {
    this.#sources.hearPieces(pieces);
    if (this.#isStored) await this.#sources.keep(this.name);
  }

  /** Notes that a person has begun a task with these values. */
  hearChosen(chosen: readonly ChosenParameter[], entry: Entry): void {
    this.#sources.hearChosen(chosen, entry);
  }

  /** Notes that a person calls a tool with these arguments. */
  hearOwnCall(args: string, entry: Entry): void {
    this.#sources.hearOwnCall(args, entry);
  }

  /** Adds the arguments of a call that may write and is about to be sent. Returns false if the arguments could not be recorded. */
  async hearWritten(tool: Tool, args: string): Promise<boolean> {
    this.#sources.hearWritten(tool, args);
    return !this.#isStored || (await this.#sources.keep(this.name));
  }

  /** Adds the result of a call to the sources. The gate records the sources before it passes the result on. */
  hearAnswer(tool: Tool, args: string, answer: HeardAnswer): void {
    this.#sources.hearAnswer(tool, args, answer);
  }

  /**
   * Deletes the recorded state of a conversation. Returns why the recorded state may still exist, or `undefined` if it
   * does not.
   */
  forget(name: string): Promise<string | undefined> {
    return this.#keeper.forget(name);
  }
}
