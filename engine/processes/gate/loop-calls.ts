// Receives the calls that the loop proposes to its gate. No claim of the loop is trusted: a call must fit the present
// state, or it is refused.
import { readStructArguments } from "../../lib/arguments/index.ts";
import { computeTopLabel } from "../../lib/policy/index.ts";
import { refuse } from "../../lib/result/result.ts";
import type { ArgumentForm } from "../../lib/wire/generated/audit.ts";
import type { ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";
import type { ToolProxyInvokeStructParams, ToolProxyInvokeToolParams } from "../../lib/wire/generated/wire.ts";
import type { Cancel } from "../../lib/wire/index.ts";
import { type Calls, NOT_NEWEST } from "./calls.ts";
import type { Conversing } from "./conversing.ts";
import { makeEnding, makeResult } from "./ending.ts";
import { refuseTooMany, refuseTooMuch } from "./flood.ts";
import { type Moves, SWITCHING } from "./moves.ts";
import type { Offered } from "./offered.ts";
import { NOT_THE_LOOPS } from "./offering.ts";
import type { GateParts } from "./parts.ts";
import { MAX_REPEATED_BYTES } from "./record.ts";
import type { Turns } from "./turns.ts";

interface LoopCallsParts extends Pick<GateParts, "audit" | "session" | "tables"> {
  readonly calls: Calls;
  readonly conversing: Conversing;
  readonly turns: Turns;
  readonly moves: Pick<Moves, "isSwitching">;
  readonly offered: Offered;
}

/**
 * Maximum number of proposals of one turn, as many as an honest loop can make: 16 inferences of 8 calls. A refused
 * proposal counts too, because its refusal is recorded.
 */
export const MAX_PROPOSED = 128;
const NOTHING = new Uint8Array();
const BOTH_FORMS = "the arguments are given twice, as JSON and as a message";

/** How the arguments were sent, and why they could not be read. */
interface HandedIn {
  readonly form: ArgumentForm;
  readonly fault?: string | undefined;
}

const JSON_TEXT: HandedIn = { form: "json" };

export class LoopCalls {
  readonly #parts: LoopCallsParts;

  constructor(parts: LoopCallsParts) {
    this.#parts = parts;
  }

  /** Runs a call that was made from the newest tool table, and returns the result for the loop. */
  invoke(proposed: ToolProxyInvokeToolParams, signal: Cancel): Promise<ToolResult> {
    const flood = this.#refuseFlood(proposed.call, Buffer.byteLength(proposed.call.arguments));
    return flood ?? this.#propose(proposed, JSON_TEXT, signal);
  }

  /** Runs a call whose arguments are a Cap'n Proto message, which is converted to JSON first. */
  invokeStruct({ message, ...proposed }: ToolProxyInvokeStructParams, signal: Cancel): Promise<ToolResult> {
    const { call } = proposed;
    const flood = this.#refuseFlood(call, Buffer.byteLength(call.arguments) + message.length);
    if (flood !== undefined) return flood;
    const { tables } = this.#parts;
    const tool = tables.tools[tables.toolIndex.get(call.name) ?? -1];
    const read = call.arguments === "" ? tool && readStructArguments(tool, message) : refuse(BOTH_FORMS);
    // If the arguments cannot be read, the record contains their bytes.
    const args = read?.ok === true ? read.value : `${call.arguments}${Buffer.from(message).toString("base64")}`;
    const fault = read?.ok === false ? read.reason : undefined;
    return this.#propose({ ...proposed, call: { ...call, arguments: args } }, { form: "capnp", fault }, signal);
  }

  /** Returns a refusal if the turn has too many proposals or too many bytes of records, otherwise `undefined`. */
  #refuseFlood(call: ToolCall, bytes: number): Promise<ToolResult> | undefined {
    const { now } = this.#parts.turns;
    const flood =
      refuseTooMany(this.#parts, now, MAX_PROPOSED) ??
      refuseTooMuch(this.#parts, now, Math.min(bytes, MAX_REPEATED_BYTES));
    return flood === undefined ? undefined : Promise.resolve(makeResult(call, makeEnding("refusedByPolicy", flood)));
  }

  #propose(proposed: ToolProxyInvokeToolParams, { form, fault }: HandedIn, signal: Cancel): Promise<ToolResult> {
    const { calls, offered, conversing, tables } = this.#parts;
    const { call } = proposed;
    const objection = this.#findObjection(proposed);
    // A call that names another conversation is refused. Its text may come from that conversation, so the log treats it
    // as text of the highest label.
    const isOurs = proposed.conversation === conversing.named;
    const label = isOurs ? undefined : computeTopLabel(tables.lattice);
    const { model = "", backend = "", nonce = NOTHING, snapshot: descriptors = NOTHING } = offered.newest ?? {};
    const origin = { by: "loop", model, backend, nonce, descriptors, form } as const;
    return calls.propose({ call, origin, hearer: "loop", caution: "ordinary", objection, fault, label, signal });
  }

  /** Returns why a proposal does not fit the current state, or `undefined` if it does. */
  #findObjection({ conversation, turn, snapshot }: ToolProxyInvokeToolParams): string | undefined {
    const { conversing, turns, moves, offered } = this.#parts;
    const { now } = turns;
    if (conversation !== conversing.named) return "this gate keeps one conversation, and the call is of another";
    if (moves.isSwitching) return SWITCHING;
    if (now.proposer !== "loop") return NOT_THE_LOOPS;
    if (turn !== now.number) return `the call is of turn ${turn}, and this is turn ${now.number}`;
    const isNewest = offered.newest !== undefined && Buffer.compare(snapshot, offered.newest.snapshot) === 0;
    return isNewest ? undefined : NOT_NEWEST;
  }

  /** Stops the call in flight and the rest of the turn. */
  cancelTurn(conversation: string, turn: number): void {
    const { conversing, turns } = this.#parts;
    const isLoops = turns.now.proposer === "loop";
    if (isLoops && conversation === conversing.named && turn === turns.now.number) turns.end("stopped");
  }
}
