// The one conversation of a gate: its name, where it stands, and whether that is on record. Another one is taken up with its own label.

import { type ChosenParameter, type Conversation, formatLabel, openConversation } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import type { Piece } from "../../lib/wire/generated/wire.ts";
import type { HeardAnswer } from "./heard.ts";
import { Keeper, type KeeperParts } from "./keeping.ts";
import { type BrokersRow, getBrokersRow } from "./reserving.ts";
import { describeRow } from "./sentences.ts";
import { type Entry, type HeardWords, SourceKeeper } from "./sources.ts";

/** The conversation of a person who calls a tool before the loop has named one; our loop uses the same. */
const FIRST_CONVERSATION = "main";

/** A conversation to continue in, and its place. */
export interface Opened {
  readonly name: string;
  readonly conversation: Conversation;
  /** The highest that was counted in it. */
  readonly turn: number;
  /** Words may be in it that were said before, whatever its turn is: a copy has none of its own. */
  readonly isTakenUp: boolean;
  /** Text that it has heard. */
  readonly heard: HeardWords;
}

/** Whether anybody is there, as a person says. */
export type Presence = "there" | "away";

export class Conversing {
  readonly #parts: KeeperParts;
  readonly #keeper: Keeper;
  readonly #sources: SourceKeeper;
  #state: Conversation;
  /** Name of the conversation. There is one at a time, and only `takeUp` changes it, with its own label and a new loop. */
  #name: string | undefined;
  /** Whether the store keeps its sayings, so that it can be resumed. */
  #isStored = false;
  #isTakenUp = false;
  /** Whether the recorded label is not below the conversation's. */
  #isKept = true;
  /** Highest turn of each conversation in this run: no number is given twice. */
  readonly #turns = new Map<string, number>();

  constructor(parts: KeeperParts, state: Conversation) {
    this.#parts = parts;
    this.#state = state;
    this.#keeper = new Keeper(parts);
    this.#sources = new SourceKeeper(parts);
  }

  /** State of the conversation, with all sources that it has heard by now. */
  get state(): Conversation {
    const sources = this.#sources.view;
    if (this.#state.sources !== sources) this.#state = { ...this.#state, sources };
    return this.#state;
  }

  /** Name of the conversation; `undefined` until somebody names it. */
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
      : accept({ name, conversation, turn: 0, isTakenUp: false, heard: this.#sources.openNew() });
  }

  /** Opens `as` at the place of the conversation `name`, which is in `turn`. Fails if that place is not known. */
  async openStanding(name: string, as: string, turn: number): Promise<Result<Opened>> {
    if (name === this.#name) {
      const heard = await this.#sources.copyNow(name, as);
      return accept({ name: as, conversation: this.#state, turn, isTakenUp: true, heard });
    }
    const standing = await this.#keeper.loadStanding(name);
    if (standing === undefined) return refuse("the broker does not tell where it stands");
    const heard = as === name ? await this.#sources.load(name) : await this.#sources.copy(name, as);
    // Under other tables it may have heard what nobody kept.
    if (!standing.isRecorded) heard.index.markIncomplete();
    const highest = as === name ? Math.max(standing.turn, this.#turns.get(name) ?? 0) : 0;
    return accept({ name: as, conversation: standing.conversation, turn: highest, isTakenUp: true, heard });
  }

  /** Another one, this one having come to `turn`. In words. */
  takeUp({ name, conversation, isTakenUp, heard }: Opened, turn: number): string {
    this.#turns.set(this.name, turn);
    this.#name = name;
    this.#isStored = true;
    this.#isTakenUp = isTakenUp;
    this.#sources.takeUp(heard);
    this.move(conversation);
    return `${name} at ${formatLabel(this.#parts.tables.lattice, conversation.label)}, in ${this.words}`;
  }

  /** Moves to another state. The broker counts, not the gate: a counter that the gate does not advance must not start above zero. */
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

  /** Whether its record claims less than is true, and it can be resumed. */
  get mustBeKept(): boolean {
    return this.#isStored && (!this.#isKept || this.#sources.isPending);
  }

  /**
   * Records a raised label before any word of what raised it is told, because a conversation is not resumed below its label. The words are
   * recorded first: the recorded place implies that they are complete.
   */
  async keep(turn: number, conversation: Conversation = this.#state): Promise<boolean> {
    this.#isKept =
      !this.#isStored ||
      ((await this.#sources.keep(this.name)) && (await this.#keeper.keep(this.name, conversation, turn)));
    return this.#isKept;
  }

  /** Records the conversation as its first turn begins. */
  keepFirst(turn: number): void {
    if (!this.#isStored) return;
    const { name } = this;
    const state = this.#state;
    if (this.#sources.isAsked)
      void this.#sources.keep(name).then((isKept) => isKept && this.#keeper.keepFirst(name, state, turn));
    else this.#keeper.keepFirst(name, state, turn);
  }

  /** Whether some line of the page asks whose words an argument is. */
  get isListening(): boolean {
    return this.#sources.isAsked;
  }

  /** Adds a person's line to the sources. Resolves once it is recorded, or cannot be: the person's words are then unknown as a source. */
  async hearPieces(pieces: readonly Piece[]): Promise<void> {
    this.#sources.hearPieces(pieces);
    if (this.#isStored) await this.#sources.keep(this.name);
  }

  /** A person has begun a task with these values. */
  hearChosen(chosen: readonly ChosenParameter[], entry: Entry): void {
    this.#sources.hearChosen(chosen, entry);
  }

  /** A person calls a tool with these arguments. */
  hearOwnCall(args: string, entry: Entry): void {
    this.#sources.hearOwnCall(args, entry);
  }

  /** A call is about to be sent that may write. False: that it was could not be put on record. */
  async hearWritten(tool: Tool, args: string): Promise<boolean> {
    this.#sources.hearWritten(tool, args);
    return !this.#isStored || (await this.#sources.keep(this.name));
  }

  /** This came of a call and is about to be told, once it is kept. */
  hearAnswer(tool: Tool, args: string, answer: HeardAnswer): void {
    this.#sources.hearAnswer(tool, args, answer);
  }

  /** Deletes the recorded place of a conversation; returns why it may still exist, or `undefined` if it does not. */
  forget(name: string): Promise<string | undefined> {
    return this.#keeper.forget(name);
  }
}
