// Handles proposals of the loop. Its claims are not trusted: a call fits the current state, or is refused.
import type { ToolResult } from "../../lib/wire/generated/capos.ts";
import type { ToolProxyInvokeToolParams } from "../../lib/wire/generated/wire.ts";
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

interface LoopCallsParts extends Pick<GateParts, "audit" | "session"> {
  readonly calls: Calls;
  readonly conversing: Conversing;
  readonly turns: Turns;
  readonly moves: Pick<Moves, "isSwitching">;
  readonly offered: Offered;
}

/** Most proposals of one turn, as many as an honest loop can make: 16 inferences of 8 calls. Each refusal is recorded too. */
export const MAX_PROPOSED = 128;
const NOTHING = new Uint8Array();

export class LoopCalls {
  readonly #parts: LoopCallsParts;

  constructor(parts: LoopCallsParts) {
    this.#parts = parts;
  }

  /** Runs a call that was made from the newest tool table, and returns the result for the loop. */
  invoke(proposed: ToolProxyInvokeToolParams, signal: Cancel): Promise<ToolResult> {
    const { calls, turns, offered } = this.#parts;
    const { call } = proposed;
    const flood =
      refuseTooMany(this.#parts, turns.now, MAX_PROPOSED) ??
      refuseTooMuch(this.#parts, turns.now, Math.min(Buffer.byteLength(call.arguments), MAX_REPEATED_BYTES));
    if (flood !== undefined) return Promise.resolve(makeResult(call, makeEnding("refusedByPolicy", flood)));
    const objection = this.#findObjection(proposed);
    const { model = "", backend = "", nonce = NOTHING, snapshot: descriptors = NOTHING } = offered.newest ?? {};
    const origin = { by: "loop", model, backend, nonce, descriptors } as const;
    return calls.propose({ call, origin, hearer: "loop", caution: "ordinary", objection, signal });
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
