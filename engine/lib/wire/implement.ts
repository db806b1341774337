// Connects handlers with the methods of an interface: the types of each handler are those of its method.

import type { Duplex } from "node:stream";
import type { Cancel } from "./cancel.ts";
import { getPayloadMessage } from "./connection.ts";
import { decode } from "./decode.ts";
import { type Answer, Failure, makeFailure } from "./frame.ts";
import type { InterfaceLayout, MethodLayout, Methods } from "./layout.ts";
import { FRAME_LIMITS } from "./limits.ts";
import { type IncomingCall, type Serving, serve } from "./serve.ts";

interface CallContext {
  /** Fires when the caller cancels or the connection ends: the handler should stop, and may return any value. */
  readonly signal: AbortSignal;
  /** Fires like `signal`, and costs less. */
  readonly cancel: Cancel;
}

type HandlerOf<M> =
  M extends MethodLayout<infer P, infer R> ? (params: P, context: CallContext) => Promise<R | Failure> : never;

/** One handler for each method of an interface. */
export type HandlersOf<M extends Methods> = { readonly [K in keyof M]: HandlerOf<M[K]> };

/** An interface together with its handlers. */
export interface Implementation {
  readonly interfaceId: bigint;
  readonly answer: (call: IncomingCall) => Promise<Answer>;
}

/** A context that creates its signal on demand. */
class Context implements CallContext {
  readonly #call: IncomingCall;

  constructor(call: IncomingCall) {
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get cancel(): Cancel {
    return this.#call.cancel;
  }
}

type AnyHandler = (params: unknown, context: CallContext) => Promise<unknown>;

/** Returns an interface with its handlers. A handler fails by returning `makeFailure(code, reason)`. */
export function implement<M extends Methods>(layout: InterfaceLayout<M>, handlers: HandlersOf<M>): Implementation {
  const byOrdinal = new Map<number, { method: MethodLayout<unknown, unknown>; handler: AnyHandler }>();
  for (const [name, method] of Object.entries(layout.methods)) {
    byOrdinal.set(method.ordinal, { method, handler: handlers[name] as AnyHandler });
  }
  const answer = (call: IncomingCall): Promise<Answer> => {
    const found = byOrdinal.get(call.method);
    if (found === undefined)
      return Promise.resolve(makeFailure("unknownMethod", `${layout.name} has no method ${call.method}`));
    return answerWith(found.method, found.handler, call);
  };
  return { interfaceId: layout.id, answer };
}

async function answerWith(
  method: MethodLayout<unknown, unknown>,
  handler: AnyHandler,
  call: IncomingCall,
): Promise<Answer> {
  const { payload } = call;
  if (payload.which === "json") return makeFailure("malformed", `${method.name} does not take JSON`);
  const params = decode(method.params, getPayloadMessage(payload), FRAME_LIMITS);
  if (!params.ok) return makeFailure("malformed", `the parameters of ${method.name} cannot be read: ${params.reason}`);
  const results = await handler(params.value, new Context(call));
  if (results instanceof Failure) return results;
  return { ok: true, payload: { which: "value", layout: method.results, value: results } };
}

/**
 * Serves a connection with the implementations of the granted interface and of the interfaces that belong to it (such
 * as a stream of tokens).
 */
export function serveInterface(stream: Duplex, implementations: readonly Implementation[]): Serving {
  const byId = new Map(implementations.map((one) => [one.interfaceId, one]));
  return serve(stream, [...byId.keys()], (call) => {
    const found = byId.get(call.interfaceId);
    if (found === undefined) return Promise.resolve(makeFailure("unknownMethod", "there is no such interface"));
    return found.answer(call);
  });
}
