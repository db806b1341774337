// Parks calls that need a person while nobody is present. Parked calls wait in their task until a person resumes them,
// and are then decided again. Parked calls are in memory, for one run of the machine; the records say that they were
// parked, and count each as a refusal.
import type { Label } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { ToolCall } from "../../lib/wire/generated/capos.ts";
import type { Origin } from "./record.ts";

/** Maximum number of parked calls of a session: a person who returns has to read each of them. */
export const MOST_PARKED = 16;
/**
 * Maximum bytes of one call's arguments: more than a person reviews at the end of a day. This limit also bounds the
 * memory that a loop can fill in this process.
 */
export const MAX_PARKED_BYTES = 64 * 1024;
/** Milliseconds on the boot clock after which a parked call expires: from one morning to the next. */
export const PARKED_MS = 86_400_000;

interface Waiting {
  readonly conversation: string;
  readonly turn: number;
  /** Label of the conversation when the call was parked. */
  readonly label: Label;
  /** The call, with canonical arguments. */
  readonly call: ToolCall;
  readonly origin: Origin;
  /** The rule of the page that demands a question, as text. */
  readonly rule: string;
}

export interface Parked extends Waiting {
  /** Number of the parked call, from 1 since the machine started. */
  readonly number: number;
  readonly sinceMs: number;
}

export class Parking {
  /** Returns milliseconds of the boot clock. */
  readonly #now: () => number;
  readonly #parked = new Map<number, Parked>();
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Parks a call and returns its number; the same call of a conversation waits only once. Fails if the call is too
   * long, or if too many calls wait.
   */
  park(waiting: Waiting): Result<number> {
    const same = this.listAll().find(({ conversation, call }) => {
      return conversation === waiting.conversation && isSame(call, waiting.call);
    });
    if (same !== undefined) return accept(same.number);
    if (Buffer.byteLength(waiting.call.arguments) > MAX_PARKED_BYTES)
      return refuse(`a call that waits has arguments of at most ${MAX_PARKED_BYTES / 1024} KiB`);
    if (this.#parked.size >= MOST_PARKED) return refuse(`${MOST_PARKED} calls wait for a person already`);
    this.#count += 1;
    this.#parked.set(this.#count, { ...waiting, number: this.#count, sinceMs: this.#now() });
    return accept(this.#count);
  }

  /** Returns all calls that still wait, oldest first. */
  listAll(): readonly Parked[] {
    return [...this.#parked.values()].filter((one) => this.computeLeftMs(one) > 0);
  }

  computeLeftMs({ sinceMs }: Parked): number {
    return sinceMs + PARKED_MS - this.#now();
  }

  /** Removes and returns the calls that nobody resumed in time. */
  takeLapsed(): readonly Parked[] {
    const old = [...this.#parked.values()].filter((one) => this.computeLeftMs(one) <= 0);
    for (const { number } of old) this.#parked.delete(number);
    return old;
  }

  /** Resumes a call: it no longer waits, whatever its result is. Fails if no such call of this conversation waits. */
  take(number: number, conversation: string): Result<Parked> {
    const parked = this.listAll().find((one) => one.number === number);
    if (parked === undefined) return refuse(`no call ${number} waits`);
    if (parked.conversation !== conversation)
      return refuse(`call ${number} is of conversation ${parked.conversation}; /resume ${parked.conversation} first`);
    this.#parked.delete(number);
    return accept(parked);
  }

  /** Drops a parked call, or all parked calls if `number` is 0, and returns the dropped numbers. */
  drop(number: number): readonly number[] {
    const dropped = this.listAll().filter((one) => number === 0 || one.number === number);
    for (const one of dropped) this.#parked.delete(one.number);
    return dropped.map((one) => one.number);
  }

  /** Drops the calls of a conversation: their arguments may contain its words. */
  forget(conversation: string): void {
    for (const one of this.#parked.values()) if (one.conversation === conversation) this.#parked.delete(one.number);
  }
}

function isSame(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && a.arguments === b.arguments;
}
