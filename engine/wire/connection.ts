// The holder's side of a granted capability: sends calls, matches answers. It trusts its provider to answer, not to answer
// well: what cannot be read is a failure of that call, and what breaks the framing ends the connection.

import type { Duplex } from "node:stream";
import { decode } from "./decode.ts";
import { type Carried, callBytes } from "./envelope.ts";
import { type Answer, type Ending, failure, frameBytes, MAX_IN_FLIGHT } from "./frame.ts";
import type { FailureCode, Frame, Payload } from "./generated/wire.ts";
import type { MethodLayout } from "./layout.ts";
import { FRAME_LIMITS } from "./limits.ts";
import { type HangUp, listen } from "./listen.ts";

/** What came of a call. `timedOut` is the holder's own word: the provider may still be at it. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: FailureCode | "timedOut"; readonly reason: string };

export interface CallOptions {
  /** Counted from the call on, waiting for a free place among the calls in flight included. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A capability that this process holds. No call ever rejects. */
export interface Connection {
  readonly call: <P, R>(method: MethodLayout<P, R>, params: P, options?: CallOptions) => Promise<Reply<R>>;
  /** For tools, whose arguments and results are canonical JSON. */
  readonly callTool: (
    interfaceId: bigint,
    method: number,
    json: string,
    options?: CallOptions,
  ) => Promise<Reply<string>>;
  /** Resolves when the connection has ended, by whichever side. */
  readonly closed: Promise<void>;
  /** Ends the connection; calls that have no answer fail with `closed`. */
  readonly close: () => void;
}

type RawReply = Reply<Payload>;

interface Waiting {
  readonly bytes: Uint8Array;
  readonly callId: bigint;
}

/** How many calls may wait for a free place: a holder that asks for more does not look at its answers. */
const MAX_WAITING = 1024;

class Calls {
  readonly #stream: Duplex;
  /** Calls sent and not answered. One that was given up stays here until the provider answers, as it still costs it. */
  readonly #inFlight = new Set<bigint>();
  readonly #settle = new Map<bigint, (reply: RawReply) => void>();
  #waiting: Waiting[] = [];
  #lastId = 0n;
  #ended: Ending | undefined;
  readonly #hangUp: HangUp;
  readonly closed: Promise<void>;

  constructor(stream: Duplex) {
    this.#stream = stream;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    const stop = (why: Ending) => {
      this.#end(why);
      resolve();
    };
    this.#hangUp = listen(stream, (frame) => this.#take(frame), stop);
  }

  send(interfaceId: bigint, method: number, carried: Carried, options: CallOptions = {}): Promise<RawReply> {
    if (this.#ended !== undefined) return Promise.resolve(failure("closed", this.#ended.reason));
    if (options.signal?.aborted)
      return Promise.resolve(failure("cancelled", "the call was given up before it was sent"));
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.resolve(failure("overloaded", `${MAX_WAITING} calls are waiting already`));
    }
    this.#lastId += 1n;
    const callId = this.#lastId;
    const bytes = encoded(() => callBytes(callId, interfaceId, method, carried));
    if (typeof bytes === "string") return Promise.resolve(failure("malformed", bytes));
    return new Promise((resolve) => {
      this.#watch(callId, options, resolve);
      this.#waiting.push({ bytes, callId });
      this.#sendWaiting();
    });
  }

  /** Settles the call exactly once: by its answer, by its end of time, by its signal, or by the end of the connection. */
  #watch(callId: bigint, { timeoutMs, signal }: CallOptions, resolve: (reply: RawReply) => void): void {
    const abandon = (reply: RawReply) => {
      this.#giveUp(callId);
      settle(reply);
    };
    const onAbort = () => abandon(failure("cancelled", "the call was given up"));
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => abandon({ ok: false, code: "timedOut", reason: `no answer within ${timeoutMs} ms` }),
            timeoutMs,
          );
    const settle = (reply: RawReply) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#settle.delete(callId);
      resolve(reply);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#settle.set(callId, settle);
  }

  #giveUp(callId: bigint): void {
    this.#waiting = this.#waiting.filter((one) => one.callId !== callId);
    if (this.#inFlight.has(callId)) this.#write({ callId, which: "cancel" });
  }

  #write(frame: Frame): void {
    const bytes = frameBytes(frame);
    if (typeof bytes !== "string") this.#stream.write(bytes);
  }

  #sendWaiting(): void {
    while (this.#inFlight.size < MAX_IN_FLIGHT) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inFlight.add(next.callId);
      this.#stream.write(next.bytes);
    }
  }

  #take(frame: Frame): void {
    if (!this.#inFlight.delete(frame.callId)) {
      this.#cutOff(`the provider answered the call ${frame.callId}, which is not in flight`);
      return;
    }
    const settle = this.#settle.get(frame.callId);
    if (frame.which === "answer") settle?.({ ok: true, value: frame.answer.payload });
    else if (frame.which === "failure") settle?.(failure(frame.failure.code, frame.failure.reason));
    else this.#cutOff(`the provider sent a ${frame.which}`);
    this.#sendWaiting();
  }

  #cutOff(reason: string): void {
    this.#hangUp({ fault: true, reason });
  }

  #end(why: Ending): void {
    this.#ended ??= why;
    this.#waiting = [];
    this.#inFlight.clear();
    for (const settle of [...this.#settle.values()]) settle(failure("closed", this.#ended.reason));
  }

  close(): void {
    this.#cutOff("this side closed the connection");
  }
}

/** Takes up a connection as its holder. */
export function connect(stream: Duplex): Connection {
  const calls = new Calls(stream);
  return {
    call: (method, params, options) => typedCall(calls, method, params, options),
    callTool: async (interfaceId, method, json, options) => {
      if (!json.isWellFormed()) return failure("malformed", "the arguments are not well-formed text");
      const reply = await calls.send(interfaceId, method, { which: "json", json }, options);
      if (!reply.ok) return reply;
      return reply.value.which === "json" ? { ok: true, value: reply.value.json } : noResult(reply.value);
    },
    closed: calls.closed,
    close: () => calls.close(),
  };
}

async function typedCall<P, R>(
  calls: Calls,
  method: MethodLayout<P, R>,
  params: P,
  options?: CallOptions,
): Promise<Reply<R>> {
  const carried = { which: "value", layout: method.params, value: params } as const;
  const reply = await calls.send(method.interfaceId, method.ordinal, carried, options);
  if (!reply.ok) return reply;
  if (reply.value.which === "json") return noResult(reply.value);
  const results = decode(method.results, messageIn(reply.value), FRAME_LIMITS);
  return results.ok ? results : failure("malformed", `the result cannot be read: ${results.reason}`);
}

/** Text from models can be ill-formed, and must not end a process that passes it on. */
export function encoded<T>(make: () => T): T | string {
  try {
    return make();
  } catch (defect) {
    return defect instanceof Error ? defect.message : String(defect);
  }
}

const NULL_ROOT = new Uint8Array(8);

/** The message of a payload; an empty one stands for a struct of defaults. */
export function messageIn(payload: Payload & { readonly which: "message" | "empty" }): Uint8Array {
  return payload.which === "message" ? payload.message : NULL_ROOT;
}

function noResult(payload: Payload): Answer & { readonly ok: false } {
  return failure("malformed", `the provider answered with a payload of the kind ${payload.which}`);
}
