// The provider's side of a granted capability. The peer is not trusted: if it breaks a rule of the connection, it is disconnected. The
// handler interprets calls; this file enforces limits, cancels calls, and sends one answer to each call.

import type { Duplex } from "node:stream";
import { type Result, refuse } from "../result/result.ts";
import { type Cancel, Canceller } from "./cancel.ts";
import { answerBytes } from "./envelope.ts";
import { type Answer, type ConnectionEnd, encodeFrameBytes, MAX_IN_FLIGHT, makeFailure } from "./frame.ts";
import type { Frame, Payload } from "./generated/wire.ts";
import { type HangUp, listen, type Scheduler, scheduleAfter } from "./listen.ts";

/** A call as it arrives. `signal` fires when the caller cancels or the connection ends. */
export interface IncomingCall {
  readonly interfaceId: bigint;
  readonly method: number;
  readonly payload: Payload;
  readonly signal: AbortSignal;
  /** Fires like `signal`, for code that does not need an AbortSignal. */
  readonly cancel: Cancel;
}

export type CallHandler = (call: IncomingCall) => Promise<Answer>;

/** A connection that is being served. */
export interface Serving {
  /** Resolves, with the reason, when the connection has ended. */
  readonly closed: Promise<ConnectionEnd>;
  readonly close: () => void;
}

/** Serves one connection. `interfaceIds` are the granted interface and the interfaces that belong to it. */
export function serve(
  stream: Duplex,
  interfaceIds: readonly bigint[],
  handle: CallHandler,
  after: Scheduler = scheduleAfter,
): Serving {
  const provider = new Provider(stream, interfaceIds, handle, after);
  return { closed: provider.closed, close: () => provider.close() };
}

/** An incoming call that makes its signal on demand: most handlers never use the signal, and making it is expensive. */
class Incoming extends Canceller implements IncomingCall {
  readonly interfaceId: bigint;
  readonly method: number;
  readonly payload: Payload;
  #controller: AbortController | undefined;

  constructor({ interfaceId, method, payload }: Pick<IncomingCall, "interfaceId" | "method" | "payload">) {
    super();
    this.interfaceId = interfaceId;
    this.method = method;
    this.payload = payload;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  get cancel(): Cancel {
    return this;
  }

  override abort(): void {
    super.abort();
    this.#controller?.abort();
  }
}

class Provider {
  readonly #stream: Duplex;
  readonly #interfaceIds: ReadonlySet<bigint>;
  readonly #handle: CallHandler;
  readonly #inFlight = new Map<bigint, Incoming>();
  readonly #hangUp: HangUp;
  readonly closed: Promise<ConnectionEnd>;
  #isOver = false;

  constructor(stream: Duplex, interfaceIds: readonly bigint[], handle: CallHandler, after: Scheduler) {
    this.#stream = stream;
    this.#interfaceIds = new Set(interfaceIds);
    this.#handle = handle;
    const { promise, resolve } = Promise.withResolvers<ConnectionEnd>();
    this.closed = promise;
    const stop = (why: ConnectionEnd) => {
      this.#end();
      resolve(why);
    };
    this.#hangUp = listen(stream, { take: (frame) => this.#take(frame), stop, after });
    stream.on("drain", () => this.#isOver || stream.resume());
  }

  close(): void {
    this.#hangUp({ fault: false, reason: "this side closed the connection" });
  }

  #end(): void {
    this.#isOver = true;
    for (const call of this.#inFlight.values()) call.abort();
    this.#inFlight.clear();
  }

  #cutOff(reason: string): void {
    this.#hangUp({ fault: true, reason });
  }

  #take(frame: Frame): void {
    if (frame.which === "cancel") {
      // The answer may have been sent before the cancel arrived; if so, there is no call to abort.
      this.#inFlight.get(frame.callId)?.abort();
    } else if (frame.which === "call") {
      const wrong = this.#checkCall(frame);
      if (wrong === undefined) this.#run(frame.callId, frame.call);
      else this.#cutOff(wrong);
    } else {
      this.#cutOff(`a holder sent a frame of the kind ${frame.which}`);
    }
  }

  #checkCall(frame: Frame & { readonly which: "call" }): string | undefined {
    const { interfaceId } = frame.call;
    if (!this.#interfaceIds.has(interfaceId)) return `interface ${interfaceId.toString(16)} was not granted`;
    if (this.#inFlight.has(frame.callId)) return `call ${frame.callId} is in flight already`;
    if (this.#inFlight.size >= MAX_IN_FLIGHT) return `more than ${MAX_IN_FLIGHT} calls are in flight`;
    return undefined;
  }

  #run(callId: bigint, call: (Frame & { readonly which: "call" })["call"]): void {
    const incoming = new Incoming(call);
    this.#inFlight.set(callId, incoming);
    const answer = (said: Answer) => this.#answer(callId, said);
    try {
      this.#handle(incoming).then(answer, (defect) => answer(describeDefect(defect)));
    } catch (defect) {
      answer(describeDefect(defect));
    }
  }

  #answer(callId: bigint, answer: Answer): void {
    if (!this.#inFlight.delete(callId)) return;
    // While a peer does not read its answers, this side reads no further calls of the peer.
    if (!this.#stream.write(encodeAnswer(callId, answer))) this.#stream.pause();
  }
}

function describeDefect(defect: unknown): Answer {
  return makeFailure(
    "failed",
    `the provider has a defect: ${defect instanceof Error ? defect.message : String(defect)}`,
  );
}

function encodeAnswer(callId: bigint, answer: Answer): Uint8Array {
  const made = tryEncodeAnswer(callId, answer);
  if (made.ok) return made.value;
  return (
    (answer.ok && answer.payload.which === "json" ? encodeUnsendableResult(callId, made.reason) : undefined) ??
    encodeFailure(callId, made.reason)
  );
}

/**
 * Returns an answer for a call whose result cannot be sent. The call has run, so the answer must not report a failure.
 * A JSON text with the reason replaces the result. No interface of tools declares a text as a result, so nobody takes
 * this text for the result.
 */
function encodeUnsendableResult(callId: bigint, reason: string): Uint8Array | undefined {
  const json = JSON.stringify(`[it ran, and its answer cannot be sent: ${reason}]`);
  const made = tryEncodeAnswer(callId, { ok: true, payload: { which: "json", json } });
  return made.ok ? made.value : undefined;
}

function tryEncodeAnswer(callId: bigint, answer: Answer): Result<Uint8Array> {
  try {
    return answer.ok
      ? answerBytes(callId, answer.payload)
      : encodeFrameBytes({ callId, which: "failure", failure: { code: answer.code, reason: answer.reason } });
  } catch (defect) {
    return refuse(defect instanceof Error ? defect.message : String(defect));
  }
}

function encodeFailure(callId: bigint, reason: string): Uint8Array {
  const { code, reason: cut } = makeFailure("failed", `the result cannot be sent: ${reason}`);
  const made = encodeFrameBytes({ callId, which: "failure", failure: { code, reason: cut } });
  return made.ok ? made.value : new Uint8Array(0);
}
