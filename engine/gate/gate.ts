// The gate of one session: between a proposal and its effect. It meets no text but what is framed and bounded, decides
// with engine/policy, asks a person where the page says so, and is the only process that holds the session's services.
// One call at a time: each is decided under the label that the one before it left.
import { randomBytes } from "node:crypto";
import {
  admit,
  type Conversation,
  type Decision,
  decide,
  type Gated,
  type IndexedTables,
  nextTurn,
  openConversation,
} from "../policy/index.ts";
import type { Outcome, ToolCall, ToolResult } from "../wire/generated/capos.ts";
import type { Tool } from "../wire/generated/policy.ts";
import type { NoticeStage } from "../wire/generated/wire.ts";
import type { Reply } from "../wire/index.ts";
import { type ToolTable, toolTable } from "./descriptors.ts";
import type { Person, Provider } from "./ports.ts";
import { excerpt, resultText } from "./result.ts";
import { Turn } from "./turn.ts";
import { callSentence, ruleWords } from "./words.ts";

/** Where the page sets none. */
export const CALL_TIMEOUT_MS = 30_000;
export const ASK_TIMEOUT_MS = 120_000;

export interface GateParts {
  readonly tables: IndexedTables;
  readonly session: string;
  readonly person: Person;
  /** By name of the service. */
  readonly providers: ReadonlyMap<string, Provider>;
}

/** What the loop is given to propose from. */
export interface Description extends ToolTable {
  readonly turn: number;
  /** For the inference that is made from it; made here, so that it need not be believed. */
  readonly nonce: Uint8Array;
}

const NONCE_BYTES = 16;

/** A call and what was decided about it, for /why. */
export interface Judged {
  readonly call: ToolCall;
  readonly decision: Decision;
  readonly outcome?: Outcome;
}

/** What came of a call; `content` where it is ok, else `error`. */
type Ending = Pick<ToolResult, "outcome" | "content" | "error">;

export class Gate {
  readonly tables: IndexedTables;
  readonly session: string;
  readonly #person: Person;
  readonly #providers: ReadonlyMap<string, Provider>;
  #conversation: Conversation;
  /** One conversation for the life of the process: a second one would begin with a clean label. */
  #name: string | undefined;
  #turn = new Turn(0);
  /** The console says when a person begins a turn. One that never does leaves each table that is given out to begin one. */
  #isCounted = false;
  #described: Description | undefined;
  #last: Judged | undefined;
  #idle: Promise<unknown> = Promise.resolve();

  private constructor(parts: GateParts, conversation: Conversation) {
    this.tables = parts.tables;
    this.session = parts.session;
    this.#person = parts.person;
    this.#providers = parts.providers;
    this.#conversation = conversation;
  }

  /** Nothing where the tables have no such session. */
  static open(parts: GateParts): Gate | undefined {
    const conversation = openConversation(parts.tables, parts.session);
    return conversation && new Gate(parts, conversation);
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get last(): Judged | undefined {
    return this.#last;
  }

  /** The tools of the conversation; nothing for another conversation than the first that was named. */
  describe(conversation: string): Description | undefined {
    this.#name ??= conversation;
    if (this.#name !== conversation) return undefined;
    if (!this.#isCounted) this.#nextTurn();
    const table = toolTable(this.tables, this.#conversation);
    this.#described = { ...table, turn: this.#turn.number, nonce: randomBytes(NONCE_BYTES) };
    return this.#described;
  }

  /** A person begins a turn: what the last one left undone is stopped. Gives the number that calls must name. */
  beginTurn(): number {
    this.#isCounted = true;
    return this.#nextTurn();
  }

  /** A proposal of the loop. */
  async invoke(
    conversation: string,
    turn: number,
    snapshot: Uint8Array,
    call: ToolCall,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const stale = this.#staleness(conversation, turn, snapshot);
    if (stale !== undefined) return result(call, ended("refusedByPolicy", stale));
    return this.#oneAtATime(call, signal);
  }

  /** A person's own call, through the same checks; it is a turn of its own. */
  direct(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    this.#nextTurn();
    return this.#oneAtATime(call, signal);
  }

  /** Stops the call in flight and refuses the rest of the turn. */
  cancelTurn(conversation: string, turn: number): void {
    if (conversation === this.#name && turn === this.#turn.number) this.#turn.cancel();
  }

  /** Why a proposal is not of this moment; nothing where it is. */
  #staleness(conversation: string, turn: number, snapshot: Uint8Array): string | undefined {
    if (conversation !== this.#name) return "this gate keeps one conversation, and the call is of another";
    if (turn !== this.#turn.number) return `the call is of turn ${turn}, and this is turn ${this.#turn.number}`;
    const isNewest = this.#described !== undefined && Buffer.compare(snapshot, this.#described.snapshot) === 0;
    return isNewest ? undefined : "the call was made from a tool table that is not the newest";
  }

  #nextTurn(): number {
    this.#turn.cancel();
    this.#turn = new Turn(this.#turn.number + 1);
    this.#conversation = nextTurn(this.tables, this.#conversation);
    return this.#turn.number;
  }

  #oneAtATime(call: ToolCall, given: AbortSignal): Promise<ToolResult> {
    const turn = this.#turn;
    const signal = AbortSignal.any([given, turn.signal]);
    const running = this.#idle.then(async () => result(call, await this.#judge(call, turn, signal)));
    this.#idle = running.catch(() => undefined);
    return running;
  }

  async #judge(call: ToolCall, turn: Turn, signal: AbortSignal): Promise<Ending> {
    const decision = decide(this.tables, this.#conversation, { tool: call.name, arguments: call.arguments });
    this.#last = { call, decision };
    const ending =
      decision.kind === "refused"
        ? ended(decision.outcome, decision.reason)
        : await this.#passAndRun(call, decision, turn, signal);
    this.#last = { call, decision, outcome: ending.outcome };
    this.#announce("finished", call, decision, ending);
    return ending;
  }

  async #passAndRun(call: ToolCall, decision: Gated, turn: Turn, signal: AbortSignal): Promise<Ending> {
    const tool = this.tables.tools[decision.tool];
    if (tool === undefined || signal.aborted) return ended("cancelled", "the turn was stopped");
    this.#conversation = { ...this.#conversation, spent: decision.spent };
    const refusal = await this.#pass(tool, decision, turn, signal);
    if (refusal !== undefined) return refusal;
    this.#announce("running", call, decision, { outcome: "ok", content: "", error: "" });
    return this.#run(tool, decision, signal);
  }

  /** Nothing where the gate is passed. */
  async #pass(tool: Tool, decision: Gated, turn: Turn, signal: AbortSignal): Promise<Ending | undefined> {
    switch (decision.gate) {
      case "auto":
        return undefined;
      case "consent":
        return this.#askConsent(tool, decision, turn, signal);
      case "stepUp":
        return ended("stepUpFailed", "this machine has no way yet to prove presence");
    }
  }

  async #askConsent(tool: Tool, decision: Gated, turn: Turn, signal: AbortSignal): Promise<Ending | undefined> {
    const key = `${tool.name} ${decision.arguments}`;
    if (turn.denied.has(key)) return ended("deniedByUser", "this was denied earlier in the turn");
    const question = {
      tool: tool.name,
      arguments: decision.arguments,
      sentence: callSentence(tool, decision.arguments),
      mode: decision.gate,
      rule: ruleWords(this.tables, decision.rule),
      timeoutMs: ASK_TIMEOUT_MS,
      challenge: "",
    };
    const answer = await this.#person.ask(question, signal);
    switch (answer) {
      case "granted":
        return signal.aborted ? ended("cancelled", "the turn was stopped") : undefined;
      case "cancelled":
        return ended("cancelled", "the person stopped it");
      case undefined:
        return signal.aborted
          ? ended("cancelled", "the turn was stopped")
          : ended("refusedByPolicy", "nobody could be asked");
      case "denied":
      case "timedOut":
        turn.denied.add(key);
        return ended("deniedByUser", answer === "denied" ? "the person said no" : "nobody answered in time");
    }
  }

  async #run(tool: Tool, decision: Gated, signal: AbortSignal): Promise<Ending> {
    const provider = this.#providers.get(tool.provider);
    if (provider === undefined) return ended("executionError", `${tool.provider} was not granted to this session`);
    const row = this.tables.rows[this.#conversation.row];
    const timeoutMs = row?.timeouts.callMs || CALL_TIMEOUT_MS;
    const reply = await provider.callTool(tool.interfaceId, tool.method, decision.arguments, { timeoutMs, signal });
    const { conversation, withheld } = admit(this.tables, this.#conversation, decision.tool);
    this.#conversation = conversation;
    if (withheld) return ended("refusedByPolicy", "it ran, and its result is above what this session is cleared for");
    return endingOf(tool, reply);
  }

  #announce(stage: NoticeStage, call: ToolCall, decision: Decision, ending: Ending): void {
    const gated = decision.kind === "gated";
    const mode = gated ? decision.gate : decision.mode;
    this.#person.announce({
      tool: excerpt(call.name),
      arguments: gated ? decision.arguments : excerpt(call.arguments),
      mode: mode ?? "forbidden",
      hasMode: mode !== undefined,
      stage,
      outcome: ending.outcome,
      detail: ending.error,
    });
  }
}

function endingOf(tool: Tool, reply: Reply<string>): Ending {
  if (!reply.ok) {
    const outcome = reply.code === "timedOut" || reply.code === "cancelled" ? reply.code : "executionError";
    return ended(outcome, excerpt(reply.code === "failed" ? reply.reason : `${reply.code}: ${reply.reason}`));
  }
  const content = resultText(tool, reply.value);
  return content === undefined
    ? ended("executionError", "the answer of the service is no JSON object")
    : { outcome: "ok", content, error: "" };
}

function ended(outcome: Exclude<Outcome, "ok">, error: string): Ending {
  return { outcome, content: "", error };
}

function result(call: ToolCall, ending: Ending): ToolResult {
  return { callId: call.id, ...ending };
}
