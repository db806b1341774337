// One call, from its proposal to its outcome. The order is the security property: what is decided comes before anyone is
// asked, what is asked before anything is recorded as begun, what is recorded before anything is sent (what only reads has one
// record, behind it), and what came of it is on record before the model learns of it. Whoever cannot be reached on the way is a
// reason to refuse.

import type { Checked } from "../../lib/policy/checked.ts";
import {
  admit,
  type Conversation,
  type Decision,
  decide,
  type Gated,
  type IndexedTables,
  type Label,
  mayFlow,
} from "../../lib/policy/index.ts";
import type { PermissionDecision } from "../../lib/wire/generated/audit.ts";
import type { ToolCall } from "../../lib/wire/generated/capos.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import type { Consent, NoticeStage } from "../../lib/wire/generated/wire.ts";
import { AnyCancel, type Cancel, Canceller, LONGEST_TIMER_MS, type Reply } from "../../lib/wire/index.ts";
import { type Asked, ask } from "./asking.ts";
import type { DrawLater } from "./draw-later.ts";
import { type Ending, makeEnding } from "./ending.ts";
import { refuseTooMuch } from "./flood.ts";
import { explainUnheard } from "./hearing.ts";
import type { Models } from "./models.ts";
import type { Parking } from "./parking.ts";
import type { Neighbour, Person, Provider } from "./ports.ts";
import { callRecord, MAX_REPEATED_BYTES, type Origin, type Recorded } from "./record.ts";
import type { Recording } from "./recording.ts";
import { buildConsent, recall, remember, takeBackConsent } from "./remembering.ts";
import { type BrokersRow, type Charges, getBrokersRow } from "./reserving.ts";
import { cut, excerpt, renderDrawnArguments, renderFailure, renderResult, renderUnusable } from "./result.ts";
import { MAX_JUDGED_BYTES, MAX_QUESTIONS, type Turn } from "./turn.ts";
import { describeDecision, describeRule, escapeArrows, renderToolName } from "./words.ts";

const CAUTION_WORDS = "the plan calls it dangerous, or its path leads elsewhere, so a person is asked";
const LONG_WORDS = "this is more than anybody judges by leafing through it, so a signature is asked for";
const MAY_HAVE_RUN = "; it was sent and may have run: find out before you call it again";
/** Where the page sets none. */
const CALL_TIMEOUT_MS = 30_000;
/** Of what came back, for the person to see what the model reads: about two lines of a small screen. */
const MAX_DRAWN_RESULT_BYTES = 120;
/** Of why it failed; a model may read more of it. */
const MAX_DRAWN_ERROR_BYTES = 1024;
/** Of what a call says: some eight lines. Whoever is asked about it has been shown all of it, and it is on record whole. */
const MAX_DRAWN_ARGUMENT_BYTES = 512;

/** One list for all calls, most of which run under no consent. */
const NONE_TAKEN: readonly number[] = [];

/** What all calls of a gate have in common. */
export interface GateParts {
  readonly tables: IndexedTables;
  /** SHA-256 of the bytes that the tables were read from. */
  readonly policyDigest: Uint8Array;
  readonly session: string;
  readonly person: Person;
  /** By name of the service. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly broker: Neighbour;
  readonly audit: Neighbour;
  readonly models: Models;
  readonly parking: Parking;
}

/** And what a gate keeps of them. */
export interface CallParts extends GateParts {
  readonly charges: Charges;
  readonly recording: Recording;
  readonly later: DrawLater;
}

export interface Proposal {
  readonly call: ToolCall;
  readonly origin: Origin;
  /** Who is told what comes of it: not whoever proposed it, where a person takes up what waited for them. */
  readonly hearer: "loop" | "plan" | "person";
  /** A person is asked even where the page would not. */
  readonly isCautious: boolean;
  readonly conversation: string;
  readonly turn: Turn;
  /** Who is logged in; empty where nobody has to be. */
  readonly principal: string;
  /** Why it is refused before it is looked at. */
  readonly objection?: string | undefined;
  /** Fires when the call is no longer wanted. */
  readonly signal: Cancel;
}

/** A call and what was decided about it. */
export interface Judged {
  readonly call: ToolCall;
  /** The conversation that it was decided in. */
  readonly before: Conversation;
  /** Nothing where the call was refused before it was looked at. */
  readonly decision?: Decision | undefined;
  readonly ending: Ending;
  /** The conversation as the call leaves it. */
  readonly conversation: Conversation;
}

export class CallRun {
  readonly #parts: CallParts;
  readonly #revoked: ReadonlySet<string>;
  readonly #proposal: Proposal;
  readonly #signal: Cancel;
  readonly #before: Conversation;
  #conversation: Conversation;
  #decision: Decision | undefined;
  #permission: PermissionDecision = "notReached";
  #principal = "";
  /** What a person's yes may hold for beside this call. */
  #wider: Consent | undefined;
  /** Of the remembered consent that it runs under, or that was given with it; 0: there is none. */
  #consent = 0;
  /** Consents that were taken back while it was under way: the answer that it runs under one of them may be read behind that. */
  #takenBack: readonly number[] = NONE_TAKEN;
  /** Why what it needs was taken back while it was under way. */
  #withdrawal: string | undefined;
  readonly #withdrawn = new Canceller();
  /** False where the machine has no disk to record on. */
  #isRecorded = true;
  #lease: Uint8Array | undefined;
  /** Sequence of the intent; 0: there is none. */
  #intent = 0n;
  #isSent = false;
  /**
   * It reads, by its category, asks and tells nobody, and what answers is ours and so is not done twice by being done again: one record
   * stands for it, once it has ended.
   */
  #isLight = false;

  constructor(parts: CallParts, revoked: ReadonlySet<string>, conversation: Conversation, proposal: Proposal) {
    this.#parts = parts;
    this.#revoked = revoked;
    this.#before = conversation;
    this.#conversation = conversation;
    this.#proposal = proposal;
    this.#signal = new AnyCancel([proposal.signal, proposal.turn.signal, this.#withdrawn]);
  }

  /** A service, or numbers of consents, were taken back: what runs on one of them ends. */
  withdraw(taken: { readonly service: string } | { readonly consents: readonly number[] }): void {
    if ("consents" in taken) this.#takenBack = [...this.#takenBack, ...taken.consents];
    this.#endFor("service" in taken ? this.#findLostService(taken.service) : this.#findLostConsent());
  }

  #endFor(words: string | undefined): void {
    if (words === undefined) return;
    this.#withdrawal ??= words;
    this.#withdrawn.abort();
  }

  #findLostService(service: string): string | undefined {
    const decision = this.#decision;
    const tool = decision?.kind === "gated" ? this.#parts.tables.tools[decision.tool] : undefined;
    return tool?.provider === service ? `${service} was revoked` : undefined;
  }

  #findLostConsent(): string | undefined {
    const isLost = this.#consent !== 0 && this.#takenBack.includes(this.#consent);
    return isLost ? `consent ${this.#consent} was taken back` : undefined;
  }

  /** It runs under this consent from now on; why it does not, where that was taken back before its number arrived here. */
  #runUnder(consent: number): Ending | undefined {
    this.#consent = consent;
    this.#endFor(this.#findLostConsent());
    return this.#findStopEnding();
  }

  async run(): Promise<Judged> {
    const came = await this.#judge();
    const ending = (await this.#recordOutcome(came)) ?? came;
    if (this.#lease !== undefined) {
      if (this.#isSent) this.#parts.charges.recordRan(this.#lease);
      else await this.#parts.charges.giveBack(this.#lease);
    }
    this.#announce("finished", ending);
    const { call } = this.#proposal;
    return { call, before: this.#before, decision: this.#decision, ending, conversation: this.#conversation };
  }

  #judge(): Ending | Promise<Ending> {
    const { call, turn, objection } = this.#proposal;
    if (objection !== undefined) return makeEnding("refusedByPolicy", objection);
    if (this.#signal.aborted) return turn.unsent;
    const decided = decide(this.#parts.tables, this.#before, { tool: call.name, arguments: call.arguments });
    const decision = this.#isRaised(decided) ? { ...decided, gate: "consent" as const } : decided;
    this.#decision = decision;
    if (decision.kind === "gated") return this.#passAndRun(decision);
    if (decision.mode === "forbidden") this.#permission = "forbidden";
    return makeEnding(decision.outcome, decision.reason);
  }

  async #passAndRun(decision: Gated): Promise<Ending> {
    const tool = this.#parts.tables.tools[decision.tool];
    const provider = tool && this.#parts.providers.get(tool.provider);
    if (tool === undefined || provider === undefined) {
      return makeEnding("executionError", `${tool?.provider} was not granted to this session`);
    }
    if (this.#revoked.has(tool.provider)) return makeEnding("refusedByPolicy", `${tool.provider} was revoked`);
    // Where nobody is asked nothing is waited for that is about asking.
    const isOpen = decision.gate === "auto";
    const { recording } = this.#parts;
    const refusal =
      this.#refuseDeniedBefore(tool, decision) ??
      this.#refuseUnrecorded(tool, decision, (isOpen ? recording.known : undefined) ?? (await recording.canRecord())) ??
      this.#refuseTooLong(decision) ??
      (isOpen ? undefined : await this.#recall(tool, decision)) ??
      this.#park(tool, decision) ??
      this.#refuseTooManyQuestions(decision) ??
      (await this.#reserve(tool, decision)) ??
      (isOpen ? this.#recordPermission("auto") : await this.#pass(tool, decision)) ??
      (this.#isRecorded && !this.#isLight ? await this.#recordIntent() : undefined) ??
      this.#findStopEnding();
    return refusal ?? (await this.#send(tool, provider, decision));
  }

  #recordPermission(permission: PermissionDecision): undefined {
    this.#permission = permission;
    return undefined;
  }

  /** Whether a person is asked because of what proposes it, and not because of the page. */
  #isRaised(decision: Decision): decision is Gated {
    return this.#proposal.isCautious && decision.kind === "gated" && decision.gate === "auto";
  }

  #findStopEnding(): Ending | undefined {
    if (this.#withdrawal !== undefined) return makeEnding("refusedByPolicy", this.#withdrawal);
    return this.#signal.aborted ? this.#proposal.turn.unsent : undefined;
  }

  /** What was denied stays denied for the turn, whatever was consented to before. */
  #refuseDeniedBefore(tool: Tool, { arguments: args, gate }: Gated): Ending | undefined {
    const denied = gate === "auto" ? undefined : this.#proposal.turn.findEarlierDenial(tool.name, args);
    if (denied === undefined) return undefined;
    this.#permission = gate === "stepUp" ? "stepUpFailed" : "denied";
    return makeEnding(gate === "stepUp" ? "stepUpFailed" : "deniedByUser", denied);
  }

  /** Whether a person has consented to all calls like it. */
  async #recall(tool: Tool, decision: Gated): Promise<Ending | undefined> {
    const { tables, broker } = this.#parts;
    const { conversation, turn, isCautious } = this.#proposal;
    // What calls itself dangerous is judged each time.
    if (isCautious) return undefined;
    this.#wider = buildConsent(tables, this.#before, { conversation, turn: turn.number }, tool, decision);
    const recalled = this.#wider && (await recall(broker, this.#wider));
    if (recalled?.ok === false) return makeEnding("refusedByPolicy", recalled.reason);
    return this.#runUnder(recalled?.value ?? 0);
  }

  /** Whether a person has to be asked. */
  #isAsked({ gate }: Gated): boolean {
    return gate !== "auto" && this.#consent === 0;
  }

  /** Where nobody is there to be asked; outside of a task that is refused already. Nothing is charged for it. */
  #park(tool: Tool, decision: Gated): Ending | undefined {
    if (!this.#isAsked(decision) || !this.#before.unattended) return undefined;
    const { tables, parking } = this.#parts;
    const { call, origin, conversation, turn, isCautious } = this.#proposal;
    // Taken up it would be decided anew, and nothing of the caution is left.
    if (isCautious) return makeEnding("refusedByPolicy", "nobody is there to be asked");
    const waiting = { id: call.id, name: tool.name, arguments: decision.arguments };
    const rule = describeRule(tables, decision.rule, decision.gate);
    const parked = parking.park({ conversation, turn: turn.number, call: waiting, origin, rule });
    const words = parked.ok ? `it waits for a person as number ${parked.value} (/parked)` : parked.reason;
    return makeEnding("refusedByPolicy", `nobody is there to be asked: ${words}`);
  }

  /** Nothing where nobody has to be asked, or somebody may. */
  #refuseTooManyQuestions(decision: Gated): Ending | undefined {
    if (!this.#isAsked(decision)) return undefined;
    const { turn } = this.#proposal;
    if (turn.questions < MAX_QUESTIONS || this.#hasPromptQuota()) return undefined;
    return makeEnding(
      "refusedByPolicy",
      `${MAX_QUESTIONS} questions were asked in this turn; a page may set another number`,
    );
  }

  /** A quota of prompts per turn is the broker's to count, and stands instead of the runtime's own limit. */
  #hasPromptQuota(): boolean {
    const quotas = this.#parts.tables.rows[this.#before.row]?.quotas ?? [];
    return quotas.some(({ unit, scope }) => unit === "prompts" && scope === "turn");
  }

  /**
   * Before anyone is asked: where there is no disk to record on only what reads and asks nobody may run; where there is one and
   * its log takes no more, or nobody answers, nothing may.
   */
  #refuseUnrecorded(tool: Tool, { gate }: Gated, recording: Checked<boolean>): Ending | undefined {
    // The refusal itself is offered to the log: it keeps room for that.
    if (!recording.ok) return makeEnding("refusedByPolicy", recording.reason);
    this.#isRecorded = recording.value;
    this.#isLight = gate === "auto" && tool.readOnly && !tool.networked && !tool.pageProgram;
    const needsRecord = gate !== "auto" || !tool.readOnly;
    if (this.#isRecorded || !needsRecord) return undefined;
    return makeEnding("refusedByPolicy", "nothing is recorded durably, so only reading that asks nobody may run");
  }

  /** What is sent is on record whole, and what was counted of it before is what a refusal would leave. */
  #refuseTooLong({ arguments: args }: Gated): Ending | undefined {
    const { turn, hearer } = this.#proposal;
    const more = Buffer.byteLength(args) - MAX_REPEATED_BYTES;
    if (hearer !== "loop" || more <= 0 || !this.#isRecorded) return undefined;
    const words = refuseTooMuch(this.#parts, turn, more);
    return words === undefined ? undefined : makeEnding("refusedByPolicy", words);
  }

  async #reserve(tool: Tool, decision: Gated): Promise<Ending | undefined> {
    const { conversation, turn } = this.#proposal;
    const prompts = this.#isAsked(decision) ? 1 : 0;
    const argumentBytes = Buffer.byteLength(decision.arguments);
    const { task, phase } = this.#row;
    const request = { conversation, turn: turn.number, tool: tool.name, prompts, argumentBytes, task, phase };
    const lease = await this.#parts.charges.reserve(request);
    if (!lease.ok) return makeEnding("refusedByPolicy", lease.reason);
    this.#lease = lease.value;
    return undefined;
  }

  get #row(): BrokersRow {
    return getBrokersRow(this.#parts.tables, this.#before);
  }

  /** Nothing where the gate is passed. */
  async #pass(tool: Tool, decision: Gated): Promise<Ending | undefined> {
    if (!this.#isAsked(decision)) return this.#recordPermission("remembered");
    const { decision: permission, principal, refusal, isDenied, isRemembered } = await this.#ask(tool, decision);
    this.#permission = permission;
    this.#principal = principal;
    if (isDenied) this.#proposal.turn.deny(tool.name, decision.arguments);
    const remembered = isRemembered && this.#wider !== undefined ? await remember(this.#parts.broker, this.#wider) : 0;
    return this.#runUnder(remembered) ?? refusal;
  }

  #ask(tool: Tool, decision: Gated): Promise<Asked> {
    const { tables } = this.#parts;
    const { conversation, turn } = this.#proposal;
    turn.questions += 1;
    const isLong = Buffer.byteLength(decision.arguments) > MAX_JUDGED_BYTES;
    const mode = isLong ? "stepUp" : decision.gate;
    const wider = mode === "stepUp" ? undefined : this.#wider;
    const caution = this.#proposal.isCautious ? `; ${CAUTION_WORDS}` : "";
    const sentence = `${describeDecision(tool, decision)}${caution}`;
    const asking = {
      tool: tool.name,
      arguments: decision.arguments,
      sentence: isLong && decision.gate !== "stepUp" ? `${sentence}; ${LONG_WORDS}` : sentence,
      mode,
      rule: describeRule(tables, decision.rule, decision.gate),
      mayRemember: wider !== undefined,
      remembers: wider?.words ?? "",
    };
    this.#announce("waiting", { outcome: "ok", content: "", error: "" });
    return ask(this.#parts, asking, { conversation, turn: turn.number, ...this.#row }, this.#signal);
  }

  async #recordIntent(): Promise<Ending | undefined> {
    const intent = await this.#parts.recording.append({ which: "intent", intent: callRecord(this.#buildRecorded()) });
    if (!intent.ok) {
      await this.#forgetConsent();
      return makeEnding("refusedByPolicy", `the audit does not record the call: ${intent.reason}`);
    }
    this.#intent = intent.value;
    return undefined;
  }

  /** What was consented to with this call, for all like it. */
  async #forgetConsent(): Promise<void> {
    if (this.#permission !== "consented" || this.#consent === 0) return;
    await takeBackConsent(this.#parts.broker, this.#consent);
    this.#consent = 0;
  }

  async #send(tool: Tool, provider: Provider, decision: Gated): Promise<Ending> {
    const draw = () => this.#announce("running", { outcome: "ok", content: "", error: "" });
    const { later } = this.#parts;
    // Who has just said yes sees it begin; of what nobody was asked about the end is drawn as soon as a person could see a beginning.
    if (this.#permission === "auto" || this.#permission === "remembered") later.plan(draw);
    else draw();
    this.#isSent = true;
    const { tables } = this.#parts;
    const limit = tables.rows[this.#before.row]?.timeouts.callMs || CALL_TIMEOUT_MS;
    const options = { timeoutMs: Math.min(limit, LONGEST_TIMER_MS), signal: this.#signal };
    const reply = await provider.callTool(tool.interfaceId, tool.method, decision.arguments, options);
    later.forget();
    const before = this.#conversation.label;
    const { conversation, withheld } = admit(tables, this.#conversation, decision.tool);
    this.#conversation = conversation;
    const silence = this.#isVoid(before) ? await this.#silence() : this.#explainSilence();
    if (withheld)
      return makeEnding("refusedByPolicy", "it ran, and its result is above what this session is cleared for");
    if (silence !== undefined) return makeEnding("refusedByPolicy", `it ran, and its result is not told: ${silence}`);
    if (isAnswered(reply) || !this.#signal.aborted) return deriveEnding(tool, reply);
    const ending =
      this.#withdrawal === undefined ? this.#proposal.turn.underWay : makeEnding("cancelled", this.#withdrawal);
    return { ...ending, error: `${ending.error}${describeDoubt(tool, reply)}` };
  }

  /** Whether a permit was given below the label as it is now: it could carry what came back to a backend that is not cleared for it. */
  #isVoid(before: Label): boolean {
    return this.#proposal.hearer === "loop" && !mayFlow(this.#conversation.label, before);
  }

  async #silence(): Promise<string | undefined> {
    const withdrawn = await this.#parts.models.withdraw();
    return withdrawn.ok ? this.#explainSilence() : withdrawn.reason;
  }

  /** Why the loop is not told what came of it; of what a person called, or a plan, no model hears. */
  #explainSilence(): string | undefined {
    return this.#proposal.hearer === "loop" ? explainUnheard(this.#parts.tables, this.#conversation) : undefined;
  }

  /** Nothing where the ending may be told; what ran and is not on record is withheld. */
  async #recordOutcome(ending: Ending): Promise<Ending | undefined> {
    if (!this.#isRecorded) return undefined;
    const outcome = callRecord(this.#buildRecorded(), ending, this.#intent);
    const reply = await this.#parts.recording.append({ which: "outcome", outcome });
    if (reply.ok || !this.#isSent) return undefined;
    return makeEnding("refusedByPolicy", `it ran, and what came of it could not be recorded: ${reply.reason}`);
  }

  #buildRecorded(): Recorded {
    const { call, origin, conversation, turn, principal } = this.#proposal;
    return {
      tables: this.#parts.tables,
      session: this.#parts.session,
      state: this.#before,
      conversation,
      turn: turn.number,
      call,
      origin,
      decision: this.#decision,
      permission: this.#permission,
      principal: this.#principal || principal,
      consent: this.#consent,
      isSentAlone: this.#isSent && this.#isLight,
    };
  }

  #announce(stage: NoticeStage, { outcome, content, error: detail }: Ending): void {
    const { call, hearer } = this.#proposal;
    const decision = this.#decision;
    const gated = decision?.kind === "gated";
    const mode = gated ? decision.gate : decision?.mode;
    const drawnOf = gated ? renderDrawnArguments : cut;
    const args = drawnOf(gated ? decision.arguments : call.arguments, MAX_DRAWN_ARGUMENT_BYTES);
    this.#parts.person.announce({
      tool: renderToolName(call.name),
      arguments: escapeArrows(args),
      mode: mode ?? "forbidden",
      stage,
      outcome,
      detail: escapeArrows(cut(detail, MAX_DRAWN_ERROR_BYTES)),
      hasMode: mode !== undefined,
      // A person's own call is answered in full.
      result: hearer === "person" ? "" : escapeArrows(cut(content, MAX_DRAWN_RESULT_BYTES)),
    });
  }
}

/** Whether it has run by what came back, which need not be of use. */
function isAnswered(reply: Reply<string>): boolean {
  return reply.ok || reply.ran?.is === "answered";
}

/**
 * The rule for every provider: its own word that it failed is `executionError`; any other answer, also one that cannot be used, is
 * `ok`; without an answer the outcome says how the wait ended, and the words whether the call may have run all the same.
 */
function deriveEnding(tool: Tool, reply: Reply<string>): Ending {
  if (reply.ok) return { outcome: "ok", content: renderResult(tool, reply.value), error: "" };
  const { code, reason, ran } = reply;
  if (ran?.is === "answered") return { outcome: "ok", content: renderUnusable(tool, ran.answer, reason), error: "" };
  if (code === "failed") return makeEnding("executionError", renderFailure(tool, reason));
  const outcome = code === "timedOut" || code === "cancelled" ? code : "executionError";
  return makeEnding(outcome, `${excerpt(`${code}: ${reason}`)}${describeDoubt(tool, reply)}`);
}

/** Reading may be done twice. */
function describeDoubt(tool: Tool, reply: Reply<string>): string {
  return reply.ok || reply.ran === undefined || tool.readOnly ? "" : MAY_HAVE_RUN;
}
