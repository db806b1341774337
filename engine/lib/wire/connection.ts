// The holder's side of a granted capability: it sends calls, and finds the call to which each answer belongs. The
// holder needs the provider's answers, but does not trust their content. An answer that cannot be read fails only its
// own call. A broken frame, or several unreadable answers in a row, ends the connection.

import type { Duplex } from "node:stream";
import { type Result, refuse } from "../result/result.ts";
import type { Cancel } from "./cancel.ts";
import { decode } from "./decode.ts";
import { callBytes, type EnvelopeContent, type PartialFrame } from "./envelope.ts";
import { type ConnectionEnd, encodeFrameBytes, MAX_IN_FLIGHT, MAX_TOOL_WORDS_LENGTH, makeFailure } from "./frame.ts";
import type { FailureCode, Frame, Payload } from "./generated/wire.ts";
import type { MethodLayout } from "./layout.ts";
import { FRAME_LIMITS } from "./limits.ts";
import { type HangUp, listen, scheduleAfter } from "./listen.ts";
import { Deadlines, type TimedEntry } from "./pending.ts";

/** Result of a call. `timedOut` is decided by the holder: the provider may still be working on the call. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: FailureCode | "timedOut"; readonly reason: string; readonly ran?: CallResult };

/**
 * States that a failed call has run, or that it may have run. Absent if the call was not sent, or if its provider reports the
 * failure itself.
 */
export type CallResult =
  /** The call was answered, but the answer cannot be used. `answer` is the JSON of the answer, as far as it can be read. */
  | { readonly is: "answered"; readonly answer: string }
  /** The call was sent, and no answer came. */
  | { readonly is: "unanswered" };

const UNANSWERED: CallResult = { is: "unanswered" };

export interface CallOptions {
  /** Timeout in milliseconds from the call on, including the wait for a free slot among the calls in flight. */
  readonly timeoutMs?: number;
  readonly signal?: Cancel;
}

/** A capability that this process holds. The promise of a call never rejects. */
export interface Connection {
  readonly call: <P, R>(method: MethodLayout<P, R>, params: P, options?: CallOptions) => Promise<Reply<R>>;
  /** Calls a tool, whose arguments and results are canonical JSON. */
  readonly callTool: (
    interfaceId: bigint,
    method: number,
    json: string,
    options?: CallOptions,
  ) => Promise<Reply<string>>;
  /** Resolves when the connection has ended, by whichever side. */
  readonly closed: Promise<void>;
  /** Ends the connection; calls without an answer fail with `closed`. */
  readonly close: () => void;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly callId: bigint;
}

/**
 * Number of unreadable answers in a row after which the provider is disconnected, because such a provider does not
 * recover by itself.
 */
const MAX_UNREADABLE = 3;

/**
 * Maximum number of waiting calls; further calls fail as `overloaded`. The limit is reached only if the holder keeps
 * making calls without waiting for their answers.
 */
const MAX_WAITING = 1024;

/** Options of a call, the function that reads its reply, and the function that receives the result. */
interface PendingParts<T> {
  readonly options: CallOptions;
  readonly manner: Manner<T>;
  readonly resolve: (reply: Reply<T>) => void;
}

/** A call without an answer. It is settled exactly once: by its answer, its timeout, its signal, or the end of the connection. */
class Pending<T> implements TimedEntry {
  readonly #calls: Calls;
  readonly #callId: bigint;
  readonly #timeoutMs: number;
  readonly #signal: Cancel | undefined;
  readonly #read: (payload: Payload) => Reply<T>;
  readonly #mostWords: number | undefined;
  readonly #resolve: (reply: Reply<T>) => void;
  readonly #onAbort: (() => void) | undefined;
  readonly deadline: number;

  constructor(
    calls: Calls,
    callId: bigint,
    {
      options: { timeoutMs = Number.POSITIVE_INFINITY, signal },
      manner: { read, mostWords },
      resolve,
    }: PendingParts<T>,
  ) {
    this.#mostWords = mostWords;
    this.#calls = calls;
    this.#callId = callId;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    this.#read = read;
    this.#resolve = resolve;
    this.deadline = timeoutMs === Number.POSITIVE_INFINITY ? timeoutMs : calls.deadlines.setDeadline(timeoutMs);
    if (signal === undefined) return;
    this.#onAbort = () => this.#abandon("cancelled", "the call was given up");
    signal.addEventListener("abort", this.#onAbort);
  }

  /**
   * Reads the payload before anything else happens, because its bytes may be overwritten later. Returns why the payload
   * could not be read.
   */
  answer(payload: Payload): string | undefined {
    const reply = this.#read(payload);
    this.settle(reply);
    return reply.ok ? undefined : reply.reason;
  }

  /** Settles the call with a failure that the provider reports. */
  fail(code: FailureCode, reason: string): void {
    this.settle(makeFailure(code, reason, this.#mostWords));
  }

  expire(): void {
    this.#abandon("timedOut", `no answer within ${this.#timeoutMs} ms`);
  }

  #abandon(code: "timedOut" | "cancelled", reason: string): void {
    const isSent = this.#calls.giveUp(this.#callId);
    this.settle({ ok: false, code, reason, ...(isSent ? { ran: UNANSWERED } : {}) });
  }

  settle(reply: Reply<T>): void {
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#calls.forget(this.#callId);
    this.#resolve(reply);
  }
}

/** A call to send: its interface, its method and its content. */
interface Outgoing {
  readonly interfaceId: bigint;
  readonly method: number;
  readonly carried: EnvelopeContent;
}

class Calls {
  readonly #stream: Duplex;
  /**
   * Calls that were sent and not answered. An abandoned call stays here until the provider answers, because until then
   * the provider counts it among the calls in flight.
   */
  readonly #inFlight = new Set<bigint>();
  readonly #pending = new Map<bigint, Pending<unknown>>();
  readonly deadlines: Deadlines = new Deadlines(() => this.#pending.values());
  #waiting: Waiting[] = [];
  #lastId = 0n;
  /** Unreadable answers since the last readable one. */
  #unreadable = 0;
  #ended: ConnectionEnd | undefined;
  readonly #hangUp: HangUp;
  readonly ended: Promise<ConnectionEnd>;

  constructor(stream: Duplex) {
    this.#stream = stream;
    const { promise, resolve } = Promise.withResolvers<ConnectionEnd>();
    this.ended = promise;
    const stop = (why: ConnectionEnd) => {
      this.#end(why);
      resolve(why);
    };
    const handleSpoiled = (remains: PartialFrame, reason: string) => this.#takeSpoiled(remains, reason);
    this.#hangUp = listen(stream, {
      take: (frame) => this.#take(frame),
      stop,
      after: scheduleAfter,
      spoiled: handleSpoiled,
    });
  }

  send<T>(
    { interfaceId, method, carried }: Outgoing,
    manner: Manner<T>,
    options: CallOptions = NO_OPTIONS,
  ): Promise<Reply<T>> {
    if (this.#ended !== undefined) return Promise.resolve(makeFailure("closed", this.#ended.reason));
    if (options.signal?.aborted)
      return Promise.resolve(makeFailure("cancelled", "the call was given up before it was sent"));
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.resolve(makeFailure("overloaded", `${MAX_WAITING} calls are waiting already`));
    }
    this.#lastId += 1n;
    const callId = this.#lastId;
    const made = tryEncode(() => callBytes(callId, interfaceId, method, carried));
    if (!made.ok) return Promise.resolve(makeFailure("malformed", made.reason));
    const bytes = made.value;
    return new Promise<Reply<T>>((resolve) => {
      this.#pending.set(callId, new Pending(this, callId, { options, manner, resolve }) as Pending<unknown>);
      if (this.#waiting.length === 0 && this.#inFlight.size < MAX_IN_FLIGHT) this.#sendNow({ bytes, callId });
      else this.#waiting.push({ bytes, callId });
    });
  }

  /** Abandons a call, and returns whether it was sent. */
  giveUp(callId: bigint): boolean {
    this.#waiting = this.#waiting.filter((one) => one.callId !== callId);
    const isSent = this.#inFlight.has(callId);
    if (isSent) this.#write({ callId, which: "cancel" });
    return isSent;
  }

  forget(callId: bigint): void {
    this.#pending.delete(callId);
  }

  #write(frame: Frame): void {
    const made = encodeFrameBytes(frame);
    if (made.ok) this.#stream.write(made.value);
  }

  #sendNow({ bytes, callId }: Waiting): void {
    this.#inFlight.add(callId);
    this.#stream.write(bytes);
  }

  #sendWaiting(): void {
    while (this.#inFlight.size < MAX_IN_FLIGHT) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#sendNow(next);
    }
  }

  #take(frame: Frame): void {
    if (!this.#inFlight.delete(frame.callId)) {
      this.#cutOff(`the provider answered the call ${frame.callId}, which is not in flight`);
      return;
    }
    const pending = this.#pending.get(frame.callId);
    if (frame.which === "answer") this.#count(pending?.answer(frame.answer.payload));
    else if (frame.which === "failure") {
      pending?.fail(frame.failure.code, frame.failure.reason);
      this.#count(undefined);
    } else this.#cutOff(`the provider sent a ${frame.which}`);
    if (this.#waiting.length > 0) this.#sendWaiting();
  }

  /** Fails only the call that the frame names, because the frame's bounds are valid and later frames can be read. */
  #takeSpoiled({ callId, which, text }: PartialFrame, reason: string): void {
    if (!this.#inFlight.delete(callId)) {
      this.#cutOff(`the provider sent a frame that cannot be read, for a call that is not in flight: ${reason}`);
      return;
    }
    const pending = this.#pending.get(callId);
    if (which === "failure") pending?.fail("failed", `${text === "" ? "its words cannot be read" : text} (${reason})`);
    else pending?.settle(rejectAnswer(`the answer cannot be read: ${reason}`, text));
    this.#count(reason);
    if (this.#waiting.length > 0) this.#sendWaiting();
  }

  /**
   * Counts the unreadable answers in a row, and ends the connection at the limit. `wrong` is the reason why an answer
   * could not be read; `undefined` stands for a readable answer.
   */
  #count(wrong: string | undefined): void {
    this.#unreadable = wrong === undefined ? 0 : this.#unreadable + 1;
    if (wrong === undefined || this.#unreadable < MAX_UNREADABLE) return;
    this.#cutOff(`${MAX_UNREADABLE} answers in a row cannot be read, the last one because: ${wrong}`);
  }

  #cutOff(reason: string): void {
    this.#hangUp({ fault: true, reason });
  }

  #end(why: ConnectionEnd): void {
    this.#ended ??= why;
    this.#waiting = [];
    const { code, reason } = makeFailure("closed", this.#ended.reason);
    for (const [callId, pending] of [...this.#pending]) {
      pending.settle({ ok: false, code, reason, ...(this.#inFlight.has(callId) ? { ran: UNANSWERED } : {}) });
    }
    this.#inFlight.clear();
    this.deadlines.end();
  }

  close(): void {
    this.#hangUp({ fault: false, reason: "this side closed the connection" });
  }
}

const NO_OPTIONS: CallOptions = {};

/** Defines how the answer to a call is read. */
interface Manner<T> {
  /** Returns the content of an answer. */
  readonly read: (payload: Payload) => Reply<T>;
  /** Maximum number of characters to keep of a provider's text about a failure. */
  readonly mostWords?: number;
}

/** A connection over one stream. */
export interface OneStream extends Connection {
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<ConnectionEnd>;
}

/** Opens a connection as its holder. */
export function connect(stream: Duplex): OneStream {
  const calls = new Calls(stream);
  return {
    call: (method, params, options) => callTyped(calls, method, params, options),
    callTool: (interfaceId, method, json, options) => {
      if (!json.isWellFormed())
        return Promise.resolve(makeFailure("malformed", "the arguments are not well-formed text"));
      return calls.send({ interfaceId, method, carried: { which: "json", json } }, TOOL_MANNER, options);
    },
    closed: calls.ended.then(() => {}),
    ended: calls.ended,
    close: () => calls.close(),
  };
}

const TOOL_MANNER: Manner<string> = { read: readJsonPayload, mostWords: MAX_TOOL_WORDS_LENGTH };

function readJsonPayload(payload: Payload): Reply<string> {
  return payload.which === "json" ? { ok: true, value: payload.json } : rejectPayload(payload);
}

function callTyped<P, R>(
  calls: Calls,
  { interfaceId, ordinal, params: layout, results }: MethodLayout<P, R>,
  value: P,
  options?: CallOptions,
): Promise<Reply<R>> {
  const read = (payload: Payload): Reply<R> => {
    if (payload.which === "json") return rejectPayload(payload);
    const found = decode(results, getPayloadMessage(payload), FRAME_LIMITS);
    return found.ok ? found : rejectAnswer(`the result cannot be read: ${found.reason}`);
  };
  return calls.send({ interfaceId, method: ordinal, carried: { which: "value", layout, value } }, { read }, options);
}

/** Encodes a value without throwing: text from a model may be ill-formed, and must not end the process that forwards it. */
function tryEncode<T>(make: () => Result<T>): Result<T> {
  try {
    return make();
  } catch (defect) {
    return refuse(defect instanceof Error ? defect.message : String(defect));
  }
}

const NULL_ROOT = new Uint8Array(8);

/** Returns the message of a payload; an empty payload stands for a struct of defaults. */
export function getPayloadMessage(payload: Payload & { readonly which: "message" | "empty" }): Uint8Array {
  return payload.which === "message" ? payload.message : NULL_ROOT;
}

function rejectPayload(payload: Payload): Reply<never> {
  return rejectAnswer(`the provider answered with a payload of the kind ${payload.which}`);
}

/** Returns the failure of a call that was answered, and thus has run. */
function rejectAnswer(why: string, answer = ""): Reply<never> & { readonly ok: false } {
  const { code, reason } = makeFailure("malformed", why);
  return { ok: false, code, reason, ran: { is: "answered", answer } };
}
