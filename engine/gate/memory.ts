import type { Call, Conversation, Decision } from "../policy/index.ts";
import type { Outcome } from "../wire/generated/capos.ts";
import type { Judged } from "./call-run.ts";
import { excerpt } from "./result.ts";

/** What is kept of a call for `/why`. Cut: what a loop sends is large, and this process is small. */
export interface Remembered {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The gate, or the outcome where none was reached. */
  readonly decided: string;
  readonly reason: string;
  /** Index into the tables' rules. */
  readonly rule: number | undefined;
  readonly outcome: Outcome;
  readonly error: string;
  /** So that it can be decided again; nothing where nothing was decided. */
  readonly asked: Asked | undefined;
}

/** A call as it stood when it was decided. */
export interface Asked {
  readonly conversation: Conversation;
  readonly call: Call;
  readonly decision: Decision;
}

const MAX_REMEMBERED = 64;

/** The newest calls, oldest first. */
export class Memory {
  readonly #calls: Remembered[] = [];

  add({ call, before, decision, ending: { outcome, error } }: Judged): void {
    this.#shorten();
    const decided = decision?.kind === "gated" ? decision.gate : outcome;
    this.#calls.push({
      id: excerpt(call.id),
      name: excerpt(call.name),
      arguments: excerpt(call.arguments),
      decided,
      reason: excerpt(decision?.reason ?? error),
      rule: decision?.rule,
      outcome,
      error: excerpt(error),
      asked: decision && { conversation: before, call: { tool: call.name, arguments: call.arguments }, decision },
    });
    if (this.#calls.length > MAX_REMEMBERED) this.#calls.shift();
  }

  /** The arguments of the newest call are kept as they are, and of others where they are short. */
  #shorten(): void {
    const newest = this.#calls.pop();
    if (newest === undefined) return;
    const isWhole = newest.asked?.call.arguments === newest.arguments;
    this.#calls.push(isWhole ? newest : { ...newest, asked: undefined });
  }

  /** The newest of this id; with none, the newest of all. */
  newest(id: string): Remembered | undefined {
    return id === "" ? this.#calls.at(-1) : this.#calls.findLast((call) => call.id === id);
  }
}
