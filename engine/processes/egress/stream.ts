// Serves HttpExchange over one connection: a remote model's answers, read as they arrive. The holder chooses the
// content of a request, but not its destination. A piece is read from the server only when the holder requests it, so a
// slow holder slows the server.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { resolveServerTarget } from "../../lib/reach/place.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { type Endpoint, HttpExchange } from "../../lib/wire/generated/egress.ts";
import { type Failure, implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { type Watch, watchFor } from "./echo.ts";
import type { EgressResponseHead } from "./exchange.ts";
import { beginRequest, type Exit, runWithinLimits } from "./request.ts";

/** Serves `HttpExchange` to one holder, who reads the body of an answer piece by piece. */
export function serveExchange(stream: Duplex, endpoint: Endpoint, exit: Exit): Serving {
  let running: Exchange | undefined;
  const stop = (): void => {
    running?.stop();
    running = undefined;
  };
  const serving = serveInterface(stream, [
    implement(HttpExchange, {
      ask: async ({ body }, { signal }) => {
        stop();
        const one = new Exchange(endpoint, exit, body);
        running = one;
        signal.addEventListener("abort", () => one.stop(), { once: true });
        const head = await one.head;
        if (!head.ok && !one.isSending) return { ...NO_HEAD, unsent: head.reason };
        if (!head.ok) return makeFailure(signal.aborted ? "cancelled" : "failed", head.reason);
        const { status, contentType, retryAfter } = head.value;
        return { status, contentType, retryAfter, unsent: "" };
      },
      read: async (_, { signal }) => running?.read(signal) ?? makeFailure("failed", "nothing was asked"),
      stop: async () => {
        stop();
        return {};
      },
    }),
  ]);
  void serving.closed.then(stop);
  return serving;
}

const NO_HEAD = { status: 0, contentType: "", retryAfter: "" };

class Exchange {
  readonly #stopped = new AbortController();
  readonly #head = Promise.withResolvers<Result<EgressResponseHead>>();
  readonly #host: string;
  readonly #mostBytes: number;
  #message: IncomingMessage | undefined;
  #pieces: AsyncIterator<Uint8Array> | undefined;
  #watch: Watch = watchFor([]);
  #bytes = 0;
  #isSending = false;

  constructor(endpoint: Endpoint, exit: Exit, body: string) {
    const [place] = endpoint.places;
    this.#host = place?.host ?? "";
    this.#mostBytes = endpoint.responseBytes;
    const wish = { method: "POST", contentType: "application/json", body } as const;
    const work = async (signal: AbortSignal): Promise<Result<EgressResponseHead>> => {
      const target = resolveServerTarget(endpoint, place?.path ?? "");
      const markSending = () => {
        this.#isSending = true;
      };
      const head = target.ok
        ? await beginRequest(exit, { endpoint, target: target.value, wish }, signal, markSending)
        : target;
      if (head.ok) await this.#beginBody(head.value);
      return head;
    };
    void runWithinLimits(exit, endpoint, this.#stopped.signal, work).then(this.#head.resolve);
  }

  /** Returns whether the server may have received a part of the request. */
  get isSending(): boolean {
    return this.#isSending;
  }

  get head(): Promise<Result<EgressResponseHead>> {
    return this.#head.promise;
  }

  /** Resolves when the body has ended, was cut off or is cancelled: until then the request counts as under way. */
  #beginBody(head: EgressResponseHead): Promise<void> {
    const { message, watch } = head;
    this.#message = message;
    this.#watch = watch;
    this.#pieces = message[Symbol.asyncIterator]();
    // Ignore the error here: a reader of the answer gets it, but there may be no reader yet, and Node throws an error
    // that has no listener.
    message.on("error", () => {});
    this.#head.resolve(accept(head));
    return new Promise((resolve) => message.once("close", resolve));
  }

  async read(signal: AbortSignal): Promise<{ readonly bytes: Uint8Array; readonly end: boolean } | Failure> {
    if (this.#pieces === undefined) return makeFailure("failed", "there is no answer to be read");
    const stop = (): void => this.stop();
    signal.addEventListener("abort", stop, { once: true });
    const next = await takeNextPiece(this.#pieces);
    signal.removeEventListener("abort", stop);
    const passed = next.ok ? this.#passed(next.value) : next;
    if (passed.ok) return passed.value;
    // This read failed, so no later read may report the answer as complete. Without pieces, each later read fails too.
    this.#pieces = undefined;
    this.stop();
    return makeFailure(signal.aborted ? "cancelled" : "failed", `${this.#host}: ${passed.reason}`);
  }

  #passed(piece: Uint8Array | undefined): Result<{ readonly bytes: Uint8Array; readonly end: boolean }> {
    if (piece === undefined) {
      if (this.#message?.complete !== true) return refuse(CUT_OFF);
      const bytes = this.#watch.last();
      return accept({ bytes, end: bytes.length === 0 });
    }
    this.#bytes += piece.length;
    if (this.#bytes > this.#mostBytes) return refuse(`the answer is larger than ${this.#mostBytes} bytes`);
    const passed = this.#watch.next(piece);
    return passed.ok ? accept({ bytes: passed.value, end: false }) : passed;
  }

  stop(): void {
    this.#stopped.abort();
  }
}

const CUT_OFF = "the answer took too long or ends too early";

/** Returns the next piece of an answer's body, or `undefined` at its end; fails if the body is cut off. */
async function takeNextPiece(pieces: AsyncIterator<Uint8Array>): Promise<Result<Uint8Array | undefined>> {
  try {
    const next = await pieces.next();
    return accept(next.done === true ? undefined : next.value);
  } catch {
    return refuse(CUT_OFF);
  }
}
