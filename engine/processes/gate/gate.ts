// The gate of one session: between a proposal and its effect. It meets no text but what is framed and bounded, counts the
// turns, and is the only process that holds the session's services. One call at a time: each is decided under the label
// that the one before it left.
import { accept, type Checked, refuse } from "../../lib/policy/checked.ts";
import {
  admit,
  type Conversation,
  type Decision,
  decide,
  enterPhase,
  isSameLabel,
  type Label,
  openConversation,
  openTask,
  type Passage,
} from "../../lib/policy/index.ts";
import type { ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";
import { Broker, type Notice } from "../../lib/wire/generated/wire.ts";
import type { Cancel } from "../../lib/wire/index.ts";
import { type CallParts, CallRun, type GateParts, type Proposal } from "./call-run.ts";
import { CommandQueue } from "./command-queue.ts";
import { Conversing, type Opened } from "./conversing.ts";
import { runAfter } from "./deadline.ts";
import { buildToolTable, type ToolTable } from "./descriptors.ts";
import { DrawLater } from "./draw-later.ts";
import { type Ending, makeEnding } from "./ending.ts";
import { refuseTooMany, refuseTooMuch } from "./flood.ts";
import { explainUnheard } from "./hearing.ts";
import { IdleLock } from "./idle-lock.ts";
import { Memory } from "./memory.ts";
import type { Moment } from "./models.ts";
import type { Parked } from "./parking.ts";
import { NEIGHBOUR_MS } from "./ports.ts";
import { MAX_REPEATED_BYTES, type Origin } from "./record.ts";
import { Recording, recordEvent } from "./recording.ts";
import { type BrokersRow, Charges } from "./reserving.ts";
import { Seat } from "./seat.ts";
import { passStep, type Step } from "./step.ts";
import { STOP_WORDS, type Turn } from "./turn.ts";
import { Turns } from "./turns.ts";

/** Proposals of one turn, which is what an honest loop can make: 16 inferences of 8 calls. Each refusal is on record too. */
export const MAX_PROPOSED = 128;
/** Actions of one plan, as engine/outside/osd/limits.ts has it. Whoever hands in plans begins turns, so that 128 each would fill the record. */
export const MAX_PLANNED = 16;
const NOTHING = new Uint8Array();
/** What the broker and the challenge line take. */
const CONVERSATION_NAME = /^[\x21-\x26\x28-\x7e]{1,64}$/;
/** A claim of the loop that is shown and recorded: it must not look like anything else. */
const CALL_ID = /^[\w.-]{1,64}$/;
const MALFORMED = "the id of a call is 1 to 64 letters, digits, and _ . -";
const NOT_NEWEST = "the call was made from a tool table that is not the newest";
const NOT_THE_PLANS = "the turn of this plan is over";
const OVERTAKEN = "a person began a turn before the plan's";
const FLOATED = "what this session has seen may not be told to who hands in plans";
const SWITCHING = "another conversation is being taken up";
const NOT_KEPT = "it ran, and its result is not told: what the conversation has seen could not be put on record";
const NOT_THE_LOOPS = "the person calls a tool directly, and nobody else proposes anything meanwhile";

/** A call that nobody was asked about is drawn as running where it takes longer than a person sees. */
const DRAWN_AFTER_MS = 40;

/** What the loop is given to propose from. */
export interface Description extends ToolTable {
  readonly turn: number;
  /** For the inference that is made from it; made here, so that it need not be believed. */
  readonly nonce: Uint8Array;
  /** Whose model answers it, and what the audit calls that. */
  readonly backend: string;
  readonly model: string;
}

export class Gate {
  readonly parts: CallParts;
  readonly #revoked = new Set<string>();
  /** The label at which conversations of the session begin. */
  readonly #start: Label;
  readonly memory = new Memory();
  /** Commands of the person's that act. */
  readonly commands = new CommandQueue();
  readonly seat: Seat;
  readonly #conversing: Conversing;
  readonly #turns: Turns;
  /** Conversations that wait to be taken up, or are. */
  #switches = 0;
  #described: Description | undefined;
  #disarmLogin = () => {};
  readonly #idleLock = new IdleLock((why) => void this.lock(why));
  #idle: Promise<unknown> = Promise.resolve();
  /** The call that is decided, asked about or under way. */
  #running: CallRun | undefined;
  /** Calls of a person's own that wait or run. */
  #personal = 0;

  private constructor(parts: GateParts, conversation: Conversation) {
    // Whoever stands before a locked screen sees nothing of what a loop words, nor what came of a call that was under way.
    const announce = (notice: Notice) => void (this.seat.isLocked || parts.person.announce(notice));
    const kept = {
      charges: new Charges(parts.broker),
      recording: new Recording(parts),
      later: new DrawLater(DRAWN_AFTER_MS),
    };
    const ask: GateParts["person"]["ask"] = (question, signal) =>
      this.#idleLock.waitWhileAsking(() => parts.person.ask(question, signal));
    this.parts = { ...parts, ...kept, person: { ...parts.person, announce, ask } };
    this.#conversing = new Conversing(parts, conversation);
    this.#start = conversation.label;
    this.#turns = new Turns(() => void this.parts.models.withdraw());
    const { loginMs } = this.#timeouts;
    this.seat = new Seat(parts.tables.rows[conversation.row]?.login !== "none");
    if (loginMs > 0 && !this.seat.hasLogin) runAfter(loginMs, () => this.#endSession());
  }

  /** Nothing where the tables have no such session. Its time begins here, or with a login where its page asks for one. */
  static open(parts: GateParts): Gate | undefined {
    const conversation = openConversation(parts.tables, parts.session);
    return conversation && new Gate(parts, conversation);
  }

  /** The name of the conversation that the store has opened; without it the loop's first word names it. */
  nameAs(name: string): void {
    this.#conversing.nameStored(name);
  }

  /** A conversation at its beginning. */
  openNew(name: string): Checked<Opened> {
    return this.#conversing.openNew(name);
  }

  /** `as`: taken up where the conversation `name` stands; where nobody can tell it is refused. */
  openStanding(name: string, as: string): Promise<Checked<Opened>> {
    return this.#conversing.openStanding(name, as, this.#turn.number);
  }

  /** Once nothing of its words is left. Why what was kept of where it stood is not gone as well; nothing where it is. */
  forget(name: string): Promise<string | undefined> {
    this.parts.parking.forget(name);
    return this.#conversing.forget(name);
  }

  /** Goes on in another conversation, once all that came before is done; nothing is proposed meanwhile. Why not, or nothing. */
  async switchTo(take: () => Promise<Checked<Opened>>): Promise<string | undefined> {
    this.#turns.end("over");
    this.#switches += 1;
    return this.#runWhenIdle(async () => {
      await this.#keep();
      const taken = await take();
      if (taken.ok) await this.#takeUp(taken.value);
      return taken.ok ? undefined : taken.reason;
    }).finally(() => {
      this.#switches -= 1;
    });
  }

  get #isSwitching(): boolean {
    return this.#switches > 0;
  }

  async #takeUp(opened: Opened): Promise<void> {
    const words = this.#conversing.takeUp(opened, this.#turn.number);
    this.memory.forgetRaises();
    this.#resetAfterMove();
    this.#turns.goOnAfter(opened.turn);
    this.note("conversation", words);
    // Without a record it would be taken up at the highest label, and a copy has words in it before its first turn.
    await this.#keep();
  }

  /** A principal is logged in, which the broker has found out and the audit has on record; and so somebody is there. */
  enter(principal: string): void {
    const { loginMs, idleMs } = this.#timeouts;
    this.seat.take(principal);
    this.#idleLock.begin(idleMs);
    if (loginMs > 0) this.#disarmLogin = runAfter(loginMs, () => void this.lock("the page's time for a login is over"));
    // Behind an `/away` that waits: it was another's word, or was said before.
    void this.#runWhenIdle(async () => this.conversation.unattended && this.#attend(true));
  }

  /** Nobody is logged in any more: what is under way ends, what was consented to is void, and the screen is cleared. */
  async lock(why: string): Promise<void> {
    const { principal } = this.seat;
    if (principal === "") return;
    this.seat.leave();
    this.#disarmLogin();
    this.#idleLock.end();
    this.#turns.end("locked");
    const told = this.parts.person.lock();
    this.note("logout", `${principal}: ${why}`);
    const { broker } = this.parts;
    const left = await broker.call(Broker.methods.logout, {}, { timeoutMs: NEIGHBOUR_MS });
    if (left.ok) void this.parts.models.withdrawLeases(left.value.taken);
    await told;
  }

  /** Milliseconds after which the session locks where its person says nothing; `page`: by the page alone. 0: it does not. */
  get lockTimes(): { readonly page: number; readonly held: number } {
    return { page: this.#idleLock.pageMs, held: this.#idleLock.ms };
  }

  /** Locks the session once its person has said nothing for this long, where the page's time is not shorter; 0: after the page's. It holds until the session locks. */
  lockAfter(ms: number): void {
    this.#idleLock.setOwn(ms);
  }

  /** The person has said something. */
  touch(): void {
    this.#idleLock.touch();
  }

  get conversation(): Conversation {
    return this.#conversing.state;
  }

  get #turn(): Turn {
    return this.#turns.now;
  }

  get revoked(): ReadonlySet<string> {
    return this.#revoked;
  }

  /** Where the broker counts: the conversation and turn as they are now. */
  get place(): { readonly conversation: string; readonly turn: number } {
    return { conversation: this.#conversing.name, turn: this.#turn.number };
  }

  /** Where the conversation is. */
  get row(): BrokersRow {
    return this.#conversing.row;
  }

  /** Begins a task, before anything else was said or called in the conversation. Nothing where it has begun; else why not. */
  beginTask(task: string, signal: Cancel): Promise<string | undefined> {
    return this.#stepInto("task", signal, () => {
      if (this.row.task !== "") return refuse(`this conversation is in ${this.#conversing.words}`);
      // It begins at the label of its own row: nothing that was said before may be in it.
      if (this.#conversing.isTakenUp || this.#turn.number > 0)
        return refuse("a task begins a conversation, and this one has begun without; /new begins another");
      return openTask(this.parts.tables, this.parts.session, task);
    });
  }

  /** Goes on to a later phase of the task. Nothing where it has; else why not. */
  enterPhase(phase: string, signal: Cancel): Promise<string | undefined> {
    return this.#stepInto("phase", signal, () => enterPhase(this.parts.tables, this.conversation, phase));
  }

  /**
   * The tools of the conversation and the permit for one answer, or why there are none: another conversation than the first that
   * was named, no time left, nobody who may answer. A person may be asked.
   */
  async describe(conversation: string): Promise<Description | string> {
    if (!CONVERSATION_NAME.test(conversation)) return "a conversation is named by 1 to 64 printable characters";
    this.#conversing.nameOnce(conversation);
    if (this.#conversing.named !== conversation) return "this gate keeps one conversation, and it is another";
    const turn = this.#turn;
    return this.#explainUndescribed(turn) ?? this.#runWhenIdle(() => this.#describeIn(turn));
  }

  #explainUndescribed(turn: Turn): string | undefined {
    if (this.seat.isLocked) return STOP_WORDS.locked;
    if (this.#isSwitching) return SWITCHING;
    if (turn.stop !== undefined) return turn.stopWords;
    return turn.proposer === "loop" ? undefined : NOT_THE_LOOPS;
  }

  async #describeIn(turn: Turn): Promise<Description | string> {
    const refusal = this.#explainUndescribed(turn) ?? explainUnheard(this.parts.tables, this.conversation);
    if (refusal !== undefined) return refusal;
    const { models, tables } = this.parts;
    const permit = await models.permit({ ...this.moment, turn });
    if (!permit.ok) return permit.reason;
    if (turn.stop !== undefined) {
      await models.withdraw();
      return turn.stopWords;
    }
    const { id: model, backend, nonce } = permit.value;
    this.#described = { ...buildToolTable(tables, this.conversation), turn: turn.number, nonce, backend, model };
    return this.#described;
  }

  /** A person's own wish: a backend behind a gate may answer from now on. Nothing where it may; else why not. */
  openModel(name: string): Promise<string | undefined> {
    this.#conversing.nameOnce();
    return this.#runWhenIdle(async () => {
      if (this.#turns.over !== undefined) return STOP_WORDS[this.#turns.over];
      const opened = await this.parts.models.open(this.moment, name);
      return opened.ok ? undefined : opened.reason;
    });
  }

  /** What is asked, counted and allowed now. */
  get moment(): Moment {
    return { state: this.conversation, conversation: this.place.conversation, turn: this.#turn };
  }

  /** A person begins a turn: what the last one left undone is stopped. Gives the number that calls must name. */
  beginTurn(): number {
    this.touch();
    return this.#begin("loop");
  }

  /** Once no conversation is being taken up: a turn that is begun meanwhile would be one of the conversation that is left. */
  async waitUntilSettled(): Promise<void> {
    while (this.#isSwitching) await this.#runWhenIdle(async () => {});
  }

  /** What is malformed about a proposal. No honest loop sends one: that it was sent is on record, once in a turn. */
  findFault({ id }: ToolCall): string | undefined {
    if (CALL_ID.test(id)) return undefined;
    if (!this.#turn.isMalformedNoted) this.note("malformed", MALFORMED);
    this.#turn.isMalformedNoted = true;
    return MALFORMED;
  }

  /** A proposal of the loop. */
  invoke(
    conversation: string,
    turn: number,
    snapshot: Uint8Array,
    call: ToolCall,
    signal: Cancel,
  ): Promise<ToolResult> {
    const flood =
      refuseTooMany(this.parts, this.#turn, MAX_PROPOSED) ??
      refuseTooMuch(this.parts, this.#turn, Math.min(Buffer.byteLength(call.arguments), MAX_REPEATED_BYTES));
    if (flood !== undefined) return Promise.resolve(makeResult(call, makeEnding("refusedByPolicy", flood)));
    const objection = this.#findObjection(conversation, turn, snapshot);
    const { model = "", backend = "", nonce = NOTHING, snapshot: descriptors = NOTHING } = this.#described ?? {};
    const origin = { by: "loop", model, backend, nonce, descriptors } as const;
    return this.#enqueueCall(call, origin, "loop", signal, objection);
  }

  /**
   * A turn for an action plan, behind what is under way and what a person called meanwhile; a person's own call ends it. What the
   * plan asks for is on record before anything of it runs.
   */
  async beginPlan(words: string): Promise<Checked<number>> {
    for (;;) {
      const begun = await this.#runWhenIdle(async () => (this.#personal > 0 ? undefined : this.#beginPlanNow(words)));
      if (begun !== undefined) return begun;
    }
  }

  async #beginPlanNow(words: string): Promise<Checked<number>> {
    const { over } = this.#turns;
    if (this.seat.isLocked) return refuse(STOP_WORDS.locked);
    if (over !== undefined) return refuse(STOP_WORDS[over]);
    if (!this.#isAtStart) return refuse(FLOATED);
    const { recording } = this.parts;
    const canRecord = await recording.canRecord();
    if (!canRecord.ok) return canRecord;
    this.#conversing.nameOnce();
    const before = this.#turn;
    const detail = `turn ${before.number + 1}: ${words}`;
    const session = { name: this.parts.session, event: "plan", detail };
    const recorded = canRecord.value ? await recording.append({ which: "session", session }) : accept(0n);
    if (!recorded.ok) return recorded;
    // Begun now it would end a person's call that has not run yet, and have another number than the record says.
    if (this.#turn !== before) {
      this.note("plan refused", `turn ${before.number + 1}: ${OVERTAKEN}`);
      return refuse(OVERTAKEN);
    }
    return accept(this.#begin("plan"));
  }

  /** One call of a plan. What would raise the conversation's label does not run: plans come from, and are told at, one label. */
  async act(turn: number, call: ToolCall, isCautious: boolean, signal: Cancel): Promise<ToolResult> {
    const flood = refuseTooMany(this.parts, this.#turn, MAX_PLANNED);
    if (flood !== undefined) return makeResult(call, makeEnding("refusedByPolicy", flood));
    const isOurs = this.#turn.proposer === "plan" && turn === this.#turn.number && !this.#isSwitching;
    const objection = isOurs ? this.explainRaise(this.decideNow(call)) : NOT_THE_PLANS;
    const told = await this.#enqueueCall(call, { by: "plan" }, "plan", signal, objection, isCautious);
    return this.#isAtStart ? told : makeResult(call, makeEnding("refusedByPolicy", FLOATED));
  }

  /** What the page says of a call as things stand; a call that is proposed is decided again when its turn comes. */
  decideNow({ name: tool, arguments: args }: ToolCall): Decision {
    return decide(this.parts.tables, this.conversation, { tool, arguments: args });
  }

  /** Why a call would leave more in the conversation than who hands in plans may be told; nothing where it leaves none. */
  explainRaise(decision: Decision): string | undefined {
    if (decision.kind !== "gated") return undefined;
    const { conversation, withheld } = admit(this.parts.tables, this.conversation, decision.tool);
    return withheld || !isSameLabel(conversation.label, this.#start) ? FLOATED : undefined;
  }

  get #isAtStart(): boolean {
    return isSameLabel(this.conversation.label, this.#start);
  }

  /** A person's own call, through the same checks; it is a turn of its own, in which the loop has no say. */
  callDirectly(call: ToolCall, signal: Cancel): Promise<ToolResult> {
    const objection = this.#isSwitching ? SWITCHING : undefined;
    this.#begin("person");
    this.#conversing.nameOnce();
    return this.#holdPlansDuring(this.#enqueueCall(call, { by: "person" }, "person", signal, objection));
  }

  /** Whether anybody is there, as a person says. Behind what is under way; what is asked of a person by then stays asked. */
  leave(isAway: boolean): Promise<void> {
    return this.#runWhenIdle(async () => this.#attend(!isAway));
  }

  #attend(isThere: boolean): void {
    this.#conversing.attend(isThere);
    // The page may offer less where nobody is there.
    this.#described = undefined;
    this.note(isThere ? "back" : "away", this.place.conversation);
  }

  /** What waits for a person; what nobody took up in time is gone, and on record. */
  listWaiting(): readonly Parked[] {
    const { parking } = this.parts;
    for (const one of parking.takeLapsed()) this.note("parked call lapsed", describeParked(one));
    return parking.listAll();
  }

  /** A person takes up what waited for them: decided anew, as things are now, and asked about. Refused where nothing such waits. */
  async takeUp(number: number, signal: Cancel): Promise<Checked<ToolResult>> {
    // It would be decided under the label of the conversation that is taken up, and its arguments are words of this one.
    if (this.#isSwitching) return refuse(SWITCHING);
    this.listWaiting();
    const taken = this.parts.parking.take(number, this.place.conversation);
    if (!taken.ok) return taken;
    const { call, origin } = taken.value;
    this.#begin("person");
    this.note("parked call taken up", describeParked(taken.value));
    return accept(await this.#holdPlansDuring(this.#enqueueCall(call, origin, "person", signal)));
  }

  /** Numbers of those that wait no more; 0: all. */
  dropParked(number: number): readonly number[] {
    const dropped = this.parts.parking.drop(number);
    for (const one of dropped) this.note("parked call dropped", String(one));
    return dropped;
  }

  /** Stops the call in flight and the rest of the turn. */
  cancelTurn(conversation: string, turn: number): void {
    const isLoops = this.#turn.proposer === "loop";
    if (isLoops && conversation === this.#conversing.named && turn === this.#turn.number) this.#turns.end("stopped");
  }

  /** The person stops what is under way, whatever the loop does. */
  interrupt(): void {
    this.commands.stop();
    this.#turns.end("stopped");
  }

  /** The machine stops: what is under way ends now, and resolves once that is on record and all else is refused. */
  stop(): Promise<void> {
    this.#turns.endAll("machine");
    return this.#runWhenIdle(async () => {});
  }

  /** A service that is not used any more, from this moment on. */
  revoke(service: string): void {
    this.#revoked.add(service);
    this.#running?.withdraw({ service });
    this.note("revoked", service);
  }

  /** Consents that the broker has taken back: what runs under one of them ends. */
  withdraw(consents: readonly number[]): void {
    this.#running?.withdraw({ consents });
    void this.parts.models.withdrawLeases(consents);
    for (const number of consents) this.note("consent taken back", String(number));
  }

  /** An event of the session for the audit; nothing waits for it. */
  note(event: string, detail: string): void {
    void recordEvent(this.parts, event, detail);
  }

  /** Why a proposal is not of this moment; nothing where it is. */
  #findObjection(conversation: string, turn: number, snapshot: Uint8Array): string | undefined {
    if (conversation !== this.#conversing.named) return "this gate keeps one conversation, and the call is of another";
    if (this.#isSwitching) return SWITCHING;
    if (this.#turn.proposer !== "loop") return NOT_THE_LOOPS;
    if (turn !== this.#turn.number) return `the call is of turn ${turn}, and this is turn ${this.#turn.number}`;
    const isNewest = this.#described !== undefined && Buffer.compare(snapshot, this.#described.snapshot) === 0;
    return isNewest ? undefined : NOT_NEWEST;
  }

  #begin(proposer: Turn["proposer"]): number {
    const turn = this.#turns.begin(proposer, this.#timeouts.turnMs, this.seat.isLocked);
    // A call is made from a table of its own turn.
    this.#described = undefined;
    this.#conversing.keepFirst(turn.number);
    return turn.number;
  }

  #endSession(): void {
    this.#turns.endAll("sessionTime");
    this.note("ended", "the page's time for a session is over");
  }

  get #timeouts() {
    const none = { callMs: 0, turnMs: 0, loginMs: 0, idleMs: 0 };
    return this.parts.tables.rows[this.conversation.row]?.timeouts ?? none;
  }

  /** Behind the calls that are under way, before those that come: each of them is decided in one row. */
  #stepInto(kind: Step["kind"], signal: Cancel, choose: () => Checked<Passage>): Promise<string | undefined> {
    // What it costs is charged to this conversation: a loop that named another one afterwards would begin with nothing spent.
    this.#conversing.nameOnce();
    return this.#runWhenIdle(async () => {
      if (this.seat.isLocked) return STOP_WORDS.locked;
      if (signal.aborted) return "it was given up while a call was under way";
      const { over } = this.#turns;
      const chosen = over === undefined ? choose() : refuse(STOP_WORDS[over]);
      if (!chosen.ok) return chosen.reason;
      const step = { kind, before: this.conversation, passage: chosen.value, place: this.place, signal };
      const refusal = await passStep(this.parts, step);
      if (refusal !== undefined) return refusal;
      if (this.seat.isLocked) return STOP_WORDS.locked;
      if (!(await this.#keep(chosen.value.conversation)))
        return "where the conversation stands could not be put on record";
      this.#conversing.move(chosen.value.conversation);
      this.#resetAfterMove();
      return undefined;
    });
  }

  /** It stands elsewhere: the table of before is void, and so is the permit. */
  #resetAfterMove(): void {
    this.#described = undefined;
    this.#idleLock.moveTo(this.#timeouts.idleMs);
    void this.parts.models.withdraw();
  }

  /** No plan begins while it waits or runs: it would end the turn that the call is of. */
  async #holdPlansDuring(call: Promise<ToolResult>): Promise<ToolResult> {
    this.#personal += 1;
    try {
      return await call;
    } finally {
      this.#personal -= 1;
    }
  }

  #enqueueCall(
    call: ToolCall,
    origin: Origin,
    hearer: Proposal["hearer"],
    signal: Cancel,
    objection?: string,
    isCautious = false,
  ): Promise<ToolResult> {
    const { conversation } = this.place;
    const { row } = this.conversation;
    const { principal } = this.seat;
    const proposal = { call, origin, hearer, conversation, turn: this.#turn, principal, objection, isCautious, signal };
    return this.#runWhenIdle(() => {
      // A step that was made while the call waited voids the table that it was made from. A person's own call has none.
      const isVoid = hearer !== "person" && row !== this.conversation.row;
      return this.#hear(isVoid ? { ...proposal, objection: NOT_NEWEST } : proposal);
    });
  }

  #keep(conversation?: Conversation): Promise<boolean> {
    return this.#conversing.keep(this.#turn.number, conversation);
  }

  /** Behind all that came before. */
  #runWhenIdle<T>(run: () => Promise<T>): Promise<T> {
    const running = this.#idle.then(run);
    this.#idle = running.catch(() => undefined);
    return running;
  }

  async #hear(proposal: Proposal): Promise<ToolResult> {
    const { unattended, label } = this.conversation;
    // Who called it, or took it up, is there.
    const before =
      unattended && proposal.hearer === "person" ? { ...this.conversation, unattended: false } : this.conversation;
    const run = new CallRun(this.parts, this.#revoked, before, proposal);
    this.#running = run;
    const judged = await run.run();
    const isHigher = !isSameLabel(judged.conversation.label, label);
    this.#conversing.become(judged.conversation);
    this.memory.add(judged);
    const mustBeKept = isHigher || !this.#conversing.isKept;
    if (mustBeKept && !(await this.#keep())) return makeResult(proposal.call, makeEnding("refusedByPolicy", NOT_KEPT));
    return makeResult(proposal.call, hideStoppedResult(judged.ending, proposal));
  }
}

/** What ran although its turn was stopped meanwhile is on record as it was; the model gets none of its result. */
function hideStoppedResult(ending: Ending, { hearer, turn }: Proposal): Ending {
  if (hearer === "person" || turn.stop === undefined || ending.outcome !== "ok") return ending;
  return { ...turn.underWay, error: `it ran, and its result is not told: ${turn.stopWords}` };
}

/** As the records name it: by whom it was proposed is in the record of its refusal. */
function describeParked({ number, call, conversation, turn }: Parked): string {
  return `${number}: ${call.name}, call ${call.id} in turn ${turn} of ${conversation}`;
}

function makeResult({ id: callId }: ToolCall, { outcome, content, error }: Ending): ToolResult {
  return { callId, outcome, content, error };
}
