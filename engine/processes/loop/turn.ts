// One turn as a state machine: AssemblingRequest → Inferring → HasToolCalls → ExecutingCalls → AssemblingRequest … until the model
// proposes no calls, the person stops it, or the rounds are used up. After the turn the loop is Idle again.
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";
import { Terminal, ToolProxy } from "../../lib/wire/generated/wire.ts";
import { createAssistantSaying, createToolSaying, createUserSaying } from "./history.ts";
import { type Inference, infer } from "./inference.ts";
import type { Offer, TurnParts } from "./parts.ts";
import { type ModelClient, requestFor } from "./request.ts";
import type { Transcript } from "./transcript.ts";

interface Proposal extends Pick<Offer, "snapshot" | "turn"> {
  readonly calls: readonly ToolCall[];
}

type State =
  | { readonly name: "Idle"; readonly remark?: string }
  | { readonly name: "AssemblingRequest" }
  | { readonly name: "Inferring"; readonly offer: Offer }
  | { readonly name: "HasToolCalls"; readonly proposal: Proposal }
  | { readonly name: "ExecutingCalls"; readonly proposal: Proposal };

/** Maximum number of inferences of one turn; a model that continues without end is stopped. */
const MAX_ROUNDS = 16;

export class TurnRun {
  readonly #parts: TurnParts;
  readonly #transcript: Transcript;
  readonly #signal: AbortSignal;
  #rounds = 0;
  /** The gate's number of the turn; 0 if the gate has not reported it yet. */
  #turn = 0;

  /** `signal`: fires when the person interrupts. */
  constructor(parts: TurnParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#transcript = parts.transcript;
    this.#signal = signal;
  }

  /**
   * Runs the turn to its end. Returns a remark for the person if the turn did not end by itself, otherwise `undefined`.
   */
  async run(): Promise<string | undefined> {
    let state: State = { name: "AssemblingRequest" };
    while (state.name !== "Idle") state = await this.#step(state);
    return state.remark;
  }

  #step(state: Exclude<State, { name: "Idle" }>): Promise<State> | State {
    switch (state.name) {
      case "AssemblingRequest":
        return this.#assemble();
      case "Inferring":
        return this.#infer(state.offer);
      case "HasToolCalls":
        return state.proposal.calls.length === 0 ? makeIdle() : { name: "ExecutingCalls", proposal: state.proposal };
      case "ExecutingCalls":
        return this.#execute(state.proposal);
    }
  }

  async #assemble(): Promise<State> {
    this.#rounds += 1;
    if (this.#rounds > MAX_ROUNDS) return makeIdle(`stopped after ${MAX_ROUNDS} rounds`);
    const offer = await this.#describe();
    if (this.#rounds === 1) await this.#begin(offer.ok ? offer.value.turn : 0);
    return offer.ok ? { name: "Inferring", offer: offer.value } : this.#endTurn(offer.reason);
  }

  /** Returns the gate's current offer. Fails with the gate's reason if it offers nothing. */
  async #describe(): Promise<Result<Offer>> {
    const { gate, transcript } = this.#parts;
    const { conversation } = transcript.history;
    const reply = await gate.call(ToolProxy.methods.describeTools, { conversation }, { signal: this.#signal });
    return reply.ok ? accept(reply.value) : refuse(`the gate offers nothing: ${reply.reason}`);
  }

  /** Stores the person's words before they have any effect. */
  async #begin(turn: number): Promise<void> {
    this.#turn = turn;
    await this.#transcript.add(createUserSaying(this.#parts.line, turn));
  }

  async #infer(first: Offer): Promise<State> {
    const voice = this.#findVoice(first);
    if (voice === undefined) return this.#endTurn(`no model of backend ${first.backend} is held here`);
    const request = await requestFor(voice, first, () => this.#describe(), this.#signal);
    if (!request.ok) return this.#endTurn(request.reason);
    const { messages, offer } = request.value;
    // After a summary the gate may select another model with a different context size: the request is then built again.
    if (offer.backend !== first.backend) return { name: "Inferring", offer };
    const { model } = voice;
    const { snapshot, turn, nonce } = offer;
    const show = (text: string) => this.#show(text);
    const heard: Inference = await infer(
      model,
      { messages, tools: offer.tools, nonce },
      { show, signal: this.#signal },
    );
    // Calls of an unfinished answer are dropped, because some of them may be missing.
    const calls = heard.fault === undefined ? heard.calls : [];
    await this.#transcript.add(createAssistantSaying(heard.text, calls, this.#turn));
    if (heard.isEndedByGate === true) return makeIdle("stopped");
    if (heard.fault !== undefined) return this.#endTurn(`the model stopped: ${heard.fault}`);
    return { name: "HasToolCalls", proposal: { snapshot, turn, calls } };
  }

  /** Returns the model that the gate allows to answer, or `undefined` if this process does not hold it. */
  #findVoice({ backend }: Offer): ModelClient | undefined {
    const { models, tokens, transcript } = this.#parts;
    const [model, counting] = [models.get(backend), tokens.get(backend)];
    return model && counting && { model, tokens: counting, transcript };
  }

  async #execute(proposal: Proposal): Promise<State> {
    for (const call of proposal.calls) await this.#executeOne(proposal, call);
    return this.#signal.aborted ? this.#endTurn("") : { name: "AssemblingRequest" };
  }

  /** Runs one call. Every proposed call gets a result, even if it was never sent: the model must not wait for a missing result. */
  async #executeOne({ snapshot, turn }: Proposal, call: ToolCall): Promise<void> {
    const { gate } = this.#parts;
    const { conversation } = this.#transcript.history;
    const stop = () => void gate.call(ToolProxy.methods.cancelTurn, { conversation, turn });
    const makeUnsent = (error: string) => ({ callId: call.id, outcome: "cancelled", content: "", error }) as const;
    const add = (result: ToolResult) => this.#transcript.add(createToolSaying(call, result, this.#turn));
    if (this.#signal.aborted) return add(makeUnsent("the person stopped the turn"));
    this.#signal.addEventListener("abort", stop);
    const params = { conversation, turn, snapshot, call };
    const reply = await gate.call(ToolProxy.methods.invokeTool, params);
    this.#signal.removeEventListener("abort", stop);
    await add(reply.ok ? reply.value.result : makeUnsent(`the gate does not answer: ${reply.reason}`));
  }

  async #show(text: string): Promise<void> {
    for (const [piece] of text.matchAll(DRAWN_AT_A_TIME))
      await this.#parts.terminal.call(
        Terminal.methods.write,
        { text: piece, speaker: "model" },
        { signal: this.#signal },
      );
  }

  #endTurn(remark: string): State {
    return makeIdle(this.#signal.aborted ? "stopped" : remark);
  }
}

/** A piece of at most 4,000 characters: it always fits into the 16 KiB that the console draws in one call. */
const DRAWN_AT_A_TIME = /[\s\S]{1,4000}/gu;

function makeIdle(remark?: string): State {
  return remark === undefined ? { name: "Idle" } : { name: "Idle", remark };
}
